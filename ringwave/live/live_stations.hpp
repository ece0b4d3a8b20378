// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/live/way.hpp"
#include "ringwave/ring/kernel.hpp"
#include "ringwave/ring/kernel_spec.hpp"
#include "ringwave/synth/renderer.hpp"

namespace ringwave::live {

class StationsPort;

/// Some stations, block by block: by a message to a resident kernel, so that nothing is launched for a block,
/// or as a synth::Renderer does it, by a graph or by launches. What is heard is what a renderer plays.
///
///   LiveStations stations(Device::automatic(), {.stations = 10});
///   stations.start(7, effects);
///   stations.process(events, 128);
///   stations.samples(7);   // left, right, left, right, …
///
/// By ring a block has a deadline, and one that was not rendered in time is no gap in the music: clock()
/// stays, and the block is given again. After a failure of the kernel, which is launched again, the stations
/// go on with the notes that begin then.
///
/// By graph and launch a block is waited for as long as it takes, and only a device that is lost misses one;
/// it misses all after that.
class LiveStations {
 public:
  static constexpr std::string_view kName = "live_stations";
  using Format = synth::Renderer::Format;
  static constexpr int kMostCommands = 32;  ///< start, set and stop, for one block

  /// The limits are those of a message and of a kernel, whatever the way.
  struct Spec {
    int stations = 10;           ///< 1 to 32; at more than 48 kHz fewer
    int voices = 20;             ///< of a station, those that fade included; 640 of all
    int max_block_frames = 128;  ///< as many as fit a message with all stations: 64 KiB
    int sample_rate_hz = 48000;
    Format format = Format::float32;
    std::vector<synth::Patch> patches{};   ///< that events name by number, up to 64; none: the built-in ones
    Way way = Way::automatic;              ///< by what was measured, together with an `auto` device
    int lanes = 416;                       ///< of a block of the kernel on a GPU, 32 to 416, a multiple of 32
    std::chrono::nanoseconds deadline{0};  ///< of a block by ring; 0: as long as the longest lasts
    ring::RestartPolicy restart{.most_restarts = 8};  ///< of the kernel
  };

  /// Allocates; by ring, makes the kernel and waits until it is active. On the CPU graph and launch are a
  /// call, on the thread of the caller. Throws InvalidArgument for a number out of range, DeviceUnavailable,
  /// OutOfMemory. [setup]
  LiveStations(Device device, Spec spec);
  ~LiveStations();
  LiveStations(LiveStations&&) noexcept;
  LiveStations& operator=(LiveStations&&) noexcept;

  /// As of the renderer; `busy` also after kMostCommands and while a block is to be given again. [audio]
  RW_REALTIME Status start(int station, const synth::StationEffects& effects) noexcept;
  RW_REALTIME Status set(int station, const synth::StationEffects& effects) noexcept;
  RW_REALTIME Status stop(int station) noexcept;

  /// Renders the next block and waits for it, by ring until the deadline, without sleeping. `wrong_shape` for
  /// too many frames or events. Otherwise, on anything but `ok`, a miss is counted and clock() stays. By ring
  /// the same events and frames are given again: `late`; `busy`, where the kernel has too much to do;
  /// `not_running`, where it has failed for good or has ended. By graph and launch it is `device_lost`, and
  /// stays so: make others, on another device. [audio]
  RW_REALTIME Status process(std::span<const synth::VoiceEvent> events, int frames) noexcept;

  /// What a station plays in the block that process() rendered; after a miss, nothing. Empty in the other
  /// format. [audio]
  [[nodiscard]] std::span<const float> samples(int station) const noexcept;
  [[nodiscard]] std::span<const std::int16_t> pcm(int station) const noexcept;

  /// Blocks that were not there in time, and what became of the last of them: by ring of its message; by
  /// graph and launch `failed`, and a block that takes longer than it lasts is no miss. [any]
  [[nodiscard]] std::uint64_t misses() const noexcept;
  [[nodiscard]] ring::Delivery last_miss() const noexcept;
  /// How often the stations began anew, after a failure of the kernel; never, where there is none. [any]
  [[nodiscard]] std::uint64_t recoveries() const noexcept;

  /// As of the renderer. [any]
  [[nodiscard]] std::int64_t clock() const noexcept { return renderer_->clock(); }
  [[nodiscard]] std::int64_t start_frame(int station) const noexcept {
    return renderer_->start_frame(station);
  }
  [[nodiscard]] bool is_playing(int station) const noexcept { return renderer_->is_playing(station); }
  [[nodiscard]] static int latency_frames() noexcept { return synth::Renderer::latency_frames(); }
  [[nodiscard]] static int max_events() noexcept;
  [[nodiscard]] std::uint64_t dropped_events() const noexcept { return renderer_->dropped_events(); }
  [[nodiscard]] const std::vector<synth::Patch>& patches() const noexcept {
    return renderer_->spec().patches;
  }
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return renderer_->device(); }
  /// How; never `automatic`. [any]
  [[nodiscard]] Way way() const noexcept { return way_; }
  /// The ring kernel behind it, to be looked at, paused and resumed; null where there is none. [any]
  [[nodiscard]] const ring::Kernel* kernel() const noexcept;

  /// What the tuner and the tests know of one of its ways: stations of eight pads each. [setup]
  [[nodiscard]] static backend::OpInfo info(Way way);

 private:
  template <class Give>
  Status command(const Give& give) noexcept;

  Way way_ = Way::launch;
  StationsPort* port_ = nullptr;  // the renderer's twin
  std::unique_ptr<synth::Renderer> renderer_;
  int commands_ = 0;         // for the next block
  bool is_pending_ = false;  // a block is to be given again
  bool is_rendered_ = false;
};

}  // namespace ringwave::live
