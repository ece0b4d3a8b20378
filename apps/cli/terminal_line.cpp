// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/terminal_line.hpp"

#include <unistd.h>

#include <cstdio>

namespace ringwave::cli {
namespace {

constexpr std::chrono::milliseconds kPause{100};

}  // namespace

TerminalLine::TerminalLine()
    : on_terminal_(isatty(STDERR_FILENO) != 0), next_(std::chrono::steady_clock::now() + kPause) {}

TerminalLine::~TerminalLine() {
  hide();
}

void TerminalLine::hide() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

bool TerminalLine::is_due() const {
  return on_terminal_ && std::chrono::steady_clock::now() >= next_;
}

void TerminalLine::show(const std::string& text) {
  if (!on_terminal_) return;
  next_ = std::chrono::steady_clock::now() + kPause;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

std::string clock_text(std::int64_t seconds) {
  char text[48];
  std::snprintf(text, sizeof text, "%lld:%02d:%02d", static_cast<long long>(seconds / 3600),
                static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60));
  return text;
}

}  // namespace ringwave::cli
