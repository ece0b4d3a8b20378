// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace ringwave::cli {

/// A line on the terminal that rewrites itself, at most ten times a second. Where standard error is no
/// terminal it says nothing. The line is gone when this is.
class TerminalLine {
 public:
  TerminalLine();
  ~TerminalLine();
  TerminalLine(const TerminalLine&) = delete;  // one line
  TerminalLine& operator=(const TerminalLine&) = delete;

  /// It is time for another text. [setup]
  [[nodiscard]] bool is_due() const;
  void show(const std::string& text);
  /// Makes room for another line of text. [setup]
  void hide();

 private:
  bool on_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// 3723 s is 1:02:03. [any]
[[nodiscard]] std::string clock_text(std::int64_t seconds);

}  // namespace ringwave::cli
