// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "bench/case.hpp"
#include "bench/result.hpp"

namespace ringwave::bench {

/// How long to measure and how much to slow ours down.
struct Effort {
  std::chrono::duration<double> budget{0.5};  ///< for each contender, without its idle gaps
  double least_samples_part = 1;              ///< of what the case asks for; never fewer than 3
  double slow_factor = 1;                     ///< ours is made to take this many times as long
};

/// Prepares a case, warms every contender up, lets them take turns until the time is spent, and checks what
/// each left behind. [setup]
[[nodiscard]] Result measure(const Case& bench_case, const Effort& effort);

}  // namespace ringwave::bench
