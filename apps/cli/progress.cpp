// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/progress.hpp"

#include <algorithm>
#include <utility>

namespace ringwave::cli {
namespace {

constexpr int kBarWidth = 32;

}  // namespace

Progress::Progress(std::string task, std::optional<std::int64_t> whole, int sample_rate_hz)
    : task_(std::move(task)), whole_(whole), sample_rate_hz_(sample_rate_hz) {}

void Progress::show(std::int64_t done) {
  if (line_.is_due()) line_.show(text(done));
}

std::string Progress::text(std::int64_t done) const {
  const std::string at = clock_text(done / sample_rate_hz_);
  if (!whole_ || *whole_ <= 0) return task_ + " " + at;
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(*whole_));
  const auto filled = static_cast<std::size_t>(part * kBarWidth);
  return task_ + " [" + std::string(filled, '#') + std::string(kBarWidth - filled, ' ') + "] " + at + " of " +
         clock_text(*whole_ / sample_rate_hz_);
}

}  // namespace ringwave::cli
