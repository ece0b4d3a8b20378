// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::backend {

/// How much an op is asked to do at a time, in the two numbers that decide where it should run.
struct Workload {
  std::string op;
  int size = 0;   ///< along time: frames of a block, points of a transform
  int batch = 0;  ///< side by side: channels, transforms, voices
};

/// One op, prepared on one device, with data of its own in host memory: what tuning, benches and the
/// real-time check run.
class Trial {
 public:
  virtual ~Trial() = default;
  /// Processes one block, host memory to host memory. [audio], but for an op that is offline
  virtual Status run() noexcept = 0;
};

/// An op as the router, the tuner and the tests see it.
struct OpInfo {
  std::string name;
  std::string summary;
  std::vector<int> sizes;    ///< what tuning measures, ascending
  std::vector<int> batches;  ///< ascending
  std::unique_ptr<Trial> (*make_trial)(Device device, int size, int batch) = nullptr;
  bool is_offline = false;  ///< what it does is [setup]: it may allocate and wait
};

}  // namespace ringwave::backend
