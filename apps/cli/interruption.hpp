// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace ringwave::cli {

/// While it lives, Ctrl-C, a hang-up and a polite kill do not end the program but set a flag, so that what is
/// half written can be removed. A second one ends it at once.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;  // signals belong to the whole program
  Interruption& operator=(const Interruption&) = delete;

  /// For readers and writers that wait. [any]
  [[nodiscard]] static const std::atomic<bool>* flag() noexcept;

  /// Throws Interrupted once a signal has come. [setup]
  static void check();

  /// The signal that came last, 0 where none did; also after an Interruption has ended. [any]
  [[nodiscard]] static int signal() noexcept;

 private:
  static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace ringwave::cli
