// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace ringwave::cli {
namespace {

constexpr int kBarWidth = 32;
constexpr std::chrono::milliseconds kPause{100};

/// 3723 s is 1:02:03.
std::string clock_text(std::int64_t seconds) {
  char text[48];
  std::snprintf(text, sizeof text, "%lld:%02d:%02d", static_cast<long long>(seconds / 3600),
                static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60));
  return text;
}

}  // namespace

Progress::Progress(std::string task, std::optional<std::int64_t> whole, int sample_rate_hz)
    : task_(std::move(task)),
      whole_(whole),
      sample_rate_hz_(sample_rate_hz),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      next_(std::chrono::steady_clock::now() + kPause) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::int64_t done) {
  if (!on_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kPause;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s", line(done).c_str());
  std::fflush(stderr);
}

std::string Progress::line(std::int64_t done) const {
  const std::string at = clock_text(done / sample_rate_hz_);
  if (!whole_ || *whole_ <= 0) return task_ + " " + at;
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(*whole_));
  const auto filled = static_cast<std::size_t>(part * kBarWidth);
  return task_ + " [" + std::string(filled, '#') + std::string(kBarWidth - filled, ' ') + "] " + at + " of " +
         clock_text(*whole_ / sample_rate_hz_);
}

}  // namespace ringwave::cli
