// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/queue.hpp"

namespace ringwave::bench {

/// A queue whose work the device times by its own clock, so that waiting for it is not in the figures.
class DeviceTimer {
 public:
  explicit DeviceTimer(Device device) : queue_(device), begin_(queue_), end_(queue_) {}

  /// Nanoseconds that what `work()` enqueues takes. [setup]
  template <class Work>
  [[nodiscard]] double time(Work work) {
    queue_.record(begin_);
    work();
    queue_.record(end_);
    queue_.synchronize();
    return end_.milliseconds_since(begin_) * 1e6;
  }

  [[nodiscard]] Queue& queue() noexcept { return queue_; }

 private:
  Queue queue_;
  Event begin_;
  Event end_;
};

}  // namespace ringwave::bench
