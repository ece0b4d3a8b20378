// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/synth/patch.hpp"
#include "ringwave/synth/station_effects.hpp"
#include "ringwave/synth/voice_event.hpp"

namespace ringwave::synth {

class RendererTwin;
struct RendererRequest;
struct StationCommand;

/// Plays every voice of every station together, block by block, on one clock.
///
///   Renderer renderer(Device::automatic(), {.stations = 1000});
///   renderer.start(7, effects);
///   renderer.submit(events, 480);   // what happens in the next block
///   renderer.fetch();               // waits for the oldest block that was submitted
///   renderer.samples(7);            // left, right, left, right, …
///
/// All memory is taken at construction. On a GPU a block is one graph; up to kBlocksInFlight may be submitted
/// before the first is fetched, and then the copy of one runs beside the work of the next. What is heard is
/// latency_frames() behind the events.
class Renderer {
 public:
  static constexpr std::string_view kName = "renderer";
  static constexpr int kBlocksInFlight = 2;
  static constexpr double kStopSeconds = 0.33;  ///< until what was stopped is silent
  static constexpr int kMostCommands = 1024;    ///< start, set and stop, for one block

  enum class Format : unsigned char {
    float32,
    int16,  ///< with dither
  };

  struct Spec {
    int stations = 1;            ///< that there is room for, 1 to 2^20
    int voices = 20;             ///< of a station, those that fade included, 1 to 128
    int max_block_frames = 480;  ///< 1 to 4096
    int sample_rate_hz = 48000;  ///< 8000 to 192000
    Format format = Format::float32;
    int threads = 0;               ///< on the CPU, that share the stations; 0: one for each core
    bool as_graph = true;          ///< on a GPU, up to 1 MiB a block; false: one launch after another
    std::vector<Patch> patches{};  ///< that events name by number, up to 256; none: the built-in ones
  };
  using Request = RendererRequest;
  using Twin = RendererTwin;
  using MakeTwin = std::function<std::unique_ptr<RendererTwin>(const RendererRequest& request)>;

  /// Throws InvalidArgument for a number out of range, DeviceUnavailable, OutOfMemory. [setup]
  Renderer(Device device, Spec spec);
  /// The same, played by another twin than the device's own. [setup]
  Renderer(Device device, Spec spec, const MakeTwin& make);
  ~Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  /// A station begins, at start_frame(): at the next block, or up to a chunk of 32 frames later. The effects
  /// are valid. `wrong_shape` for a station that does not exist or plays already, `busy` after kMostCommands.
  /// [audio]
  RW_REALTIME Status start(int station, const StationEffects& effects) noexcept;
  /// Other effects from the next block on, without a click. `wrong_shape` for one that does not play. [audio]
  RW_REALTIME Status set(int station, const StationEffects& effects) noexcept;
  /// Fades out within kStopSeconds; until then is_playing(). [audio]
  RW_REALTIME Status stop(int station) noexcept;

  /// Begins the next block. Events may come in any order; those that name what does not exist, or a station
  /// that does not play, are dropped and counted. `busy`, and nothing done, where kBlocksInFlight are to be
  /// fetched; `wrong_shape` for too many frames or more than max_events(). [audio]
  RW_REALTIME Status submit(std::span<const VoiceEvent> events, int frames) noexcept;

  /// Waits for the oldest block that was submitted. `wrong_shape` where there is none. [audio]
  RW_REALTIME Status fetch() noexcept;

  /// What a station plays in the block that was fetched last, left and right in turn; of one that does not
  /// play, silence. Valid until the next fetch(). Empty in the other format. [audio]
  [[nodiscard]] std::span<const float> samples(int station) const noexcept;
  [[nodiscard]] std::span<const std::int16_t> pcm(int station) const noexcept;

  /// The first frame of the next block to be submitted. [any]
  [[nodiscard]] std::int64_t clock() const noexcept { return clock_; }
  /// Where a station's own clock begins. [any]
  [[nodiscard]] std::int64_t start_frame(int station) const noexcept;
  [[nodiscard]] bool is_playing(int station) const noexcept;
  [[nodiscard]] static int latency_frames() noexcept;
  /// Of one block. [any]
  [[nodiscard]] int max_events() const noexcept;
  [[nodiscard]] std::uint64_t dropped_events() const noexcept { return dropped_; }
  /// Memory of a station with all its voices. [any]
  [[nodiscard]] std::size_t bytes_per_station() const noexcept;
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  struct Tables;

  /// Checks the spec and makes the tables.
  explicit Renderer(Spec spec);
  [[nodiscard]] RendererRequest request() const;
  [[nodiscard]] bool exists(int station) const noexcept { return station >= 0 && station < spec_.stations; }
  Status command(const StationCommand& command) noexcept;
  void end_stopped() noexcept;
  [[nodiscard]] bool takes(const VoiceEvent& event, int frames) const noexcept;

  Spec spec_;
  std::int64_t clock_ = 0;
  std::uint64_t dropped_ = 0;
  Device device_;
  std::unique_ptr<Tables> tables_;
  std::unique_ptr<RendererTwin> twin_;
};

}  // namespace ringwave::synth
