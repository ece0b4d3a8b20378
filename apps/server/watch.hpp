// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/server/tick_stamp.hpp"

namespace ringwave::server {

/// Knows what of a server hangs: the loops that should come round and do not. It only compares stamps, so
/// that the answer depends on nothing that may hang itself.
class Watch {
 public:
  struct Loop {
    std::string name;
    const TickStamp* stamp;
  };

  /// The stamps outlive it. [setup]
  explicit Watch(std::vector<Loop> loops) : loops_(std::move(loops)) {}

  /// The names of those that are overdue; none where all is well. [any]
  [[nodiscard]] std::vector<std::string> hanging(
      TickStamp::Time now = std::chrono::steady_clock::now()) const;

 private:
  std::vector<Loop> loops_;
};

}  // namespace ringwave::server
