// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/progress_log.hpp"

#include <unistd.h>

#include <cstdio>

namespace ringwave::cli {
namespace {

constexpr std::chrono::seconds kPause{5};

}  // namespace

ProgressLog::ProgressLog()
    : on_terminal_(isatty(STDERR_FILENO) != 0), next_(std::chrono::steady_clock::now()) {}

bool ProgressLog::is_due() const {
  return on_terminal_ ? line_.is_due() : std::chrono::steady_clock::now() >= next_;
}

void ProgressLog::show(const std::string& text) {
  if (on_terminal_) return line_.show(text);
  next_ = std::chrono::steady_clock::now() + kPause;
  std::fprintf(stderr, "%s\n", text.c_str());
}

}  // namespace ringwave::cli
