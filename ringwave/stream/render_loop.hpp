// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>

#include "ringwave/core/clock.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/spsc_ring.hpp"
#include "ringwave/stream/histogram.hpp"
#include "ringwave/stream/live_station.hpp"
#include "ringwave/stream/load_meter.hpp"
#include "ringwave/synth/renderer.hpp"

namespace ringwave::stream {

/// Renders the stations that play, a block every 20 ms, on a thread of its own that keeps the time of the
/// sample clock. When nobody plays, it rests.
class RenderLoop {
 public:
  /// Behind the clock by more, it does not catch up but goes on from now.
  static constexpr double kMostCatchUpSeconds = 1;

  using MakeRenderer = std::function<synth::Renderer(Device device, const synth::Renderer::Spec& spec)>;
  struct Spec {
    Device device;
    int stations = 64;
    int threads = 1;
    int sample_rate_hz = 48000;
    int block_frames = 960;
    std::function<void()> rendered;  ///< called after each block by the loop's thread
    MakeRenderer make_renderer{};    ///< empty: the device's own
  };

  /// Throws as Renderer. [setup]
  explicit RenderLoop(Spec spec);
  ~RenderLoop();
  RenderLoop(const RenderLoop&) = delete;  // its thread holds it by reference
  RenderLoop& operator=(const RenderLoop&) = delete;

  /// From the next block on; stop() fades out, after which the station has_ended(). False where too many such
  /// wishes wait. [server]
  [[nodiscard]] bool start(LiveStation& station);
  [[nodiscard]] bool stop(LiveStation& station);

  /// True once the device has failed: nothing is rendered any more, and all stations have ended. [any]
  [[nodiscard]] bool is_lost() const noexcept { return lost_.load(std::memory_order_acquire); }

  [[nodiscard]] const synth::Renderer::Spec& renderer_spec() const noexcept { return renderer_.spec(); }
  [[nodiscard]] Device device() const noexcept { return renderer_.device(); }
  /// When a frame of the newest block was due. [any]
  [[nodiscard]] Clock::Time due() const noexcept;

  [[nodiscard]] const Histogram& seconds() const noexcept { return seconds_; }
  [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t deadline_misses() const noexcept {
    return misses_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] const LoadMeter& meter() const noexcept { return meter_; }

 private:
  struct Wish {
    LiveStation* station;
    bool starts;
  };

  bool push(const Wish& wish);
  void run();
  void rest();
  void keep_time();
  Status render() noexcept;
  void obey() noexcept;
  void end_stopped() noexcept;
  void lose() noexcept;

  Spec spec_;
  synth::Renderer renderer_;
  const int in_flight_limit_;
  std::mutex wishing_;  // of those who push; the loop takes no lock
  SpscRing<Wish> wishes_;
  std::vector<LiveStation*> playing_;
  std::vector<synth::VoiceEvent> events_;
  std::int64_t block_begins_[synth::Renderer::kBlocksInFlight] = {};
  int in_flight_ = 0;

  Clock clock_;
  std::int64_t frame_ = 0;  // of clock_: where the next block begins
  Histogram seconds_;
  std::atomic<std::uint64_t> blocks_{0};
  std::atomic<std::uint64_t> misses_{0};
  LoadMeter meter_;
  std::atomic<std::int64_t> due_ns_{0};
  std::atomic<bool> lost_{false};
  std::atomic<bool> stopping_{false};
  std::counting_semaphore<> wake_{0};
  std::thread thread_;
};

}  // namespace ringwave::stream
