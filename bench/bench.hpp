// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>

#include "ringwave/core/device.hpp"

/// Measures what Ringwave claims: every case is warmed up, gets fresh inputs, has its output checked in the
/// same run and stands beside its peers, whose samples alternate with ours because machines are noisy.
namespace ringwave::bench {

struct Options {
  std::string filter;             ///< run the cases whose name contains this; empty: all
  std::string json_path;          ///< where the results go as data; empty: nowhere
  std::string compare_path;       ///< earlier results to compare with; empty: none
  double threshold_percent = 10;  ///< slower than the earlier result by more than this is a regression
  bool list = false;              ///< print names and summaries, measure nothing
  Device device;                  ///< cases of this device only; `auto`: of every device
  bool quick = false;             ///< a tenth of the time, for trying things out
};

/// Runs the cases and writes a table to `out`. Returns 0, or 1 where a case regressed or an output was wrong.
/// Throws InvalidArgument for a filter that matches no case or a threshold out of range, BadFile for a
/// comparison file that is torn or foreign and for a results file that cannot be written; both before
/// anything is measured.
///
/// RINGWAVE_BENCH_SLOW="<start of a case's name>:<factor>" in the environment waits inside the measured time
/// of those cases until they take `factor` times as long. It is made for testing the comparison. [setup]
[[nodiscard]] int run(const Options& options, std::ostream& out);

}  // namespace ringwave::bench
