// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "ringwave/stream/live_station.hpp"
#include "ringwave/stream/render_loop.hpp"

namespace ringwave::stream {

/// A station's place in a render loop, from the wish that it plays to the end of its sound. It is given at
/// once; what plays in it comes when its beginning has been composed. The loop outlives it.
class Place {
 public:
  Place(RenderLoop& loop, int slot) : loop_(loop), slot_(slot) {}
  Place(const Place&) = delete;  // threads share it
  Place& operator=(const Place&) = delete;

  [[nodiscard]] RenderLoop& loop() const noexcept { return loop_; }
  [[nodiscard]] int slot() const noexcept { return slot_; }

  /// Plays from now on what begins at a sample time of its station. Nothing happens where it was stopped
  /// already. Once. [server]
  void begin(std::unique_ptr<LiveStation> live, std::int64_t sample_time);
  /// What plays; nothing until begin(). [any]
  [[nodiscard]] LiveStation* live() const noexcept { return playing_.load(std::memory_order_acquire); }
  /// The sample time of the first frame of what plays. [any] where live()
  [[nodiscard]] std::int64_t begins_at() const noexcept { return begins_at_; }

  /// Fades out. [server]
  void stop();
  /// True once the renderer is done with it. [server]
  [[nodiscard]] bool has_ended() const;

 private:
  RenderLoop& loop_;
  const int slot_;
  mutable std::mutex mutex_;  // of begin() against stop()
  bool is_stopped_ = false;
  std::unique_ptr<LiveStation> live_;
  std::int64_t begins_at_ = 0;
  std::atomic<LiveStation*> playing_{nullptr};
};

}  // namespace ringwave::stream
