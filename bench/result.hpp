// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bench/case.hpp"
#include "bench/statistics.hpp"

namespace ringwave::bench {

struct PeerResult {
  std::string name;
  Summary summary;
  Check check;
  double ratio = 0;  ///< its median over ours: how many times as fast we are
};

/// A goal and whether it was reached.
struct Verdict {
  std::string goal;
  bool met = false;
};

/// What one case came to.
struct Result {
  std::string name;
  std::string device;
  Summary summary;
  double gbs = 0;       ///< gigabytes a second at the median; 0: not counted
  double gflops = 0;    ///< 10^9 operations a second at the median; 0: not counted
  double peak_gbs = 0;  ///< what the device was measured to move there
  Bound bound = Bound::memory;
  Check check;
  std::vector<PeerResult> peers;
  std::vector<Verdict> verdicts;
  std::vector<std::string> notes;
  std::string skipped;
};

}  // namespace ringwave::bench
