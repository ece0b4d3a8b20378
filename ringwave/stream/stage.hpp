// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/stream/live_station.hpp"
#include "ringwave/stream/render_loop.hpp"
#include "ringwave/stream/station.hpp"

namespace ringwave::stream {

/// Where stations play: the places of a render loop, and who is in them. Where the device fails, they go on
/// on the CPU. One thread at a time uses it; stations go after it.
class Stage {
 public:
  using StationPtr = std::shared_ptr<Station>;
  struct Spec {
    RenderLoop::Spec loop;
    double linger_seconds = 15;                        ///< after the last listener has left
    std::function<void(const std::string&)> report{};  ///< told in a sentence what a person should know
  };

  /// Throws as RenderLoop. [setup]
  explicit Stage(Spec spec);

  [[nodiscard]] const std::vector<StationPtr>& playing() const noexcept { return playing_; }
  [[nodiscard]] bool has_place() const noexcept { return !free_slots_.empty(); }
  /// Plays it, in a place that there has to be. [server]
  void wake(const StationPtr& station);
  /// Fades it out, where it plays. [server]
  void stop(const StationPtr& station);
  /// Fades all of them out, and wakes none again. [server]
  void fade_out();
  /// What is to be done now and then: stops those that nobody hears, makes room, and where the loop has
  /// failed begins another. [server]
  void tend();

  [[nodiscard]] const RenderLoop& loop() const noexcept { return *loop_; }
  /// Of this and every earlier loop. [server]
  [[nodiscard]] std::uint64_t deadline_misses() const noexcept;
  /// Blocks of stations that nobody encoded in time. [server]
  [[nodiscard]] std::uint64_t dropped_blocks() const;
  [[nodiscard]] std::uint64_t device_losses() const noexcept { return lost_loops_.size(); }

 private:
  void retire(const StationPtr& station);
  void free_retired();
  void stop_lonely();
  void retire_ended();
  void move_to_cpu();

  Spec spec_;
  std::vector<StationPtr> playing_;
  std::vector<int> free_slots_;
  std::vector<std::unique_ptr<LiveStation>> retired_;  // until the renderer is done with them
  std::uint64_t dropped_ = 0;                          // by those that play no more
  bool is_closing_ = false;
  std::vector<std::unique_ptr<RenderLoop>> lost_loops_;  // their histograms may still be looked at
  std::unique_ptr<RenderLoop> loop_;
};

}  // namespace ringwave::stream
