// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ringwave::bench {

/// Samples in a few numbers, all in nanoseconds.
struct Summary {
  double median = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
  double mean = 0;
  double ci_low = 0;  ///< 95 % confidence interval of the median
  double ci_high = 0;
  std::size_t samples = 0;
};

/// Summarizes samples that are in the order in which they were taken; zeros for none.
///
/// Neighbouring samples of a busy machine are alike, and a formula that takes them for independent gives an
/// interval that is far too narrow. So from a hundred samples on the interval is that of the medians of ten
/// stretches of time: from the second lowest to the second highest. [setup]
[[nodiscard]] Summary summarize(std::span<const double> in_time_order);

}  // namespace ringwave::bench
