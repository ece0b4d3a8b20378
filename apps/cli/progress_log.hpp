// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "apps/cli/terminal_line.hpp"

namespace ringwave::cli {

/// How far something is that takes minutes: a TerminalLine, and where standard error is no terminal a line of
/// its own at the beginning and then every few seconds, so that whoever reads a log sees that it goes on.
class ProgressLog {
 public:
  ProgressLog();

  /// It is time for another text. [setup]
  [[nodiscard]] bool is_due() const;
  void show(const std::string& text);

 private:
  TerminalLine line_;
  bool on_terminal_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace ringwave::cli
