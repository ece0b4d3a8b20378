// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/synth/patch.hpp"
#include "ringwave/synth/piece.hpp"
#include "ringwave/synth/renderer.hpp"
#include "ringwave/synth/station_effects.hpp"

namespace ringwave::synth {

/// Renders pieces from their beginning, each in a station of one renderer. What is heard does not depend on
/// the size of the blocks, nor on what else is rendered.
class Rendering {
 public:
  struct Spec {
    Device device;
    int sample_rate_hz = 48000;
    int block_frames = 480;
    int heard_frames = 4096;  ///< in one piece, whatever the blocks are: encoders may cut by them
    std::vector<Patch> patches{};
  };
  struct Station {
    std::unique_ptr<Piece> piece;
    std::optional<std::size_t> part{};       ///< this one alone
    std::optional<std::size_t> ends_with{};  ///< as long as an earlier station, instead of by itself
    StationEffects effects{};
    std::function<void(BlockView<const float>)> hear;  ///< left and right, from the piece's first frame on
  };

  /// Throws InvalidArgument for what cannot be rendered, and as Renderer. [setup]
  Rendering(const Spec& spec, std::vector<Station> stations);
  ~Rendering();
  Rendering(const Rendering&) = delete;  // it plays once
  Rendering& operator=(const Rendering&) = delete;

  /// What is to come: so many frames of each piece, the last of them faded out; or each until it has died
  /// away. A piece without an end then goes on. [setup]
  void begin(std::optional<std::int64_t> frames);
  /// Renders another block; false when all has been heard. Throws DeviceLost, and as the stations' `hear`.
  /// [setup]
  bool step();
  /// Fades out from the next block on, within a third of a second. Throws DeviceLost. [setup]
  void stop();
  /// Frames of a station that have been heard. [any]
  [[nodiscard]] std::int64_t heard(std::size_t station) const;
  /// Voices of the first station that can be heard. [setup]
  [[nodiscard]] int sounding() const noexcept;

 private:
  class Player;

  void perform(int frames);
  void submit(std::span<VoiceEvent> events, int frames);
  void hear_oldest();

  int sample_rate_hz_;
  int block_frames_;
  Renderer renderer_;
  std::vector<Player> players_;
  std::vector<VoiceEvent> events_;
  int in_flight_ = 0;
  std::int64_t fetched_ = 0;  // frames, with those of the latency
};

/// Renders pieces together, as fast as the device goes: so many frames of each, or each until it has died
/// away. Gives the frames of each. `see` is told after every block how many of the longest have been heard,
/// and may throw to end it.
///
///   std::vector<Rendering::Station> stations;
///   for (std::uint64_t seed = 1; seed <= 100; ++seed)
///     stations.push_back({.piece = std::make_unique<ComposedPiece>(settings, seed, 48000), .hear = …});
///   render_batch({.device = Device::automatic()}, std::move(stations), 60 * 48000);
///
/// Throws as Rendering and its step(), and InvalidArgument for a piece without an end where no number of
/// frames is given. [setup]
std::vector<std::int64_t> render_batch(const Rendering::Spec& spec, std::vector<Rendering::Station> stations,
                                       std::optional<std::int64_t> frames,
                                       const std::function<void(std::int64_t heard)>& see = {});

}  // namespace ringwave::synth
