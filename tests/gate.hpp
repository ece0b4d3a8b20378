// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "ringwave/core/queue.hpp"

namespace ringwave {

/// Holds a queue's worker back until it is opened.
class Gate {
 public:
  void close(Queue& queue) {
    queue.submit([this](NativeQueue) noexcept { open_.wait(false); });
  }
  void open() {
    open_ = true;
    open_.notify_all();
  }

 private:
  std::atomic<bool> open_{false};
};

}  // namespace ringwave
