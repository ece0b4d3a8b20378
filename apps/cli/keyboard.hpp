// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <termios.h>

#include <atomic>
#include <chrono>

namespace ringwave::cli {

/// While it lives, single keys of the terminal are heard, and not shown; where standard input or output is no
/// terminal, none is.
class Keyboard {
 public:
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;  // the terminal is set back once
  Keyboard& operator=(const Keyboard&) = delete;

  /// Waits for as long as this, or until `stop` is set, or a key that ends the program is pressed: q, Q or
  /// Ctrl-D. True where one was. [setup]
  [[nodiscard]] bool wait_for_end(std::chrono::duration<double> time, const std::atomic<bool>& stop);

 private:
  bool is_heard_ = false;
  termios before_{};
};

}  // namespace ringwave::cli
