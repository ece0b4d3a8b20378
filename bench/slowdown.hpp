// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ringwave::bench {

/// What RINGWAVE_BENCH_SLOW asks for, so that a test can see the comparison find a regression.
struct Slowdown {
  std::string prefix;  ///< of the names of the cases it is meant for
  double factor = 1;

  /// Nothing to slow where the variable is not set. Throws InvalidArgument for one that is not
  /// "<start of a case's name>:<factor from 1 to 1000>". [setup]
  [[nodiscard]] static Slowdown from_environment();

  /// How many times as long that case shall take. [any]
  [[nodiscard]] double factor_of(std::string_view name) const noexcept {
    return name.starts_with(prefix) ? factor : 1;
  }
};

}  // namespace ringwave::bench
