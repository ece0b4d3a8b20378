// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/cli/piece.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/synth/renderer.hpp"

namespace ringwave::cli {

/// Renders pieces from their beginning, each in a station of one renderer. What is heard does not depend on
/// the size of the blocks.
class Rendering {
 public:
  struct Spec {
    Device device;
    int sample_rate_hz = 48000;
    int block_frames = 480;
    int heard_frames = 4096;  ///< in one piece, whatever the blocks are: encoders may cut by them
    std::vector<synth::Patch> patches{};
  };
  struct Station {
    std::unique_ptr<Piece> piece;
    std::optional<std::size_t> part;  ///< this one alone
    synth::StationEffects effects;
    std::function<void(BlockView<const float>)> hear;  ///< left and right, from the piece's first frame on
  };

  /// Throws as Renderer. [setup]
  Rendering(const Spec& spec, std::vector<Station> stations);
  ~Rendering();
  Rendering(const Rendering&) = delete;  // it plays once
  Rendering& operator=(const Rendering&) = delete;

  /// Everything at once, as begin() and step(), with a bar of the progress after the word `task`. Gives the
  /// number of frames. Throws as step(), and Interrupted. [setup]
  std::int64_t run(const std::string& task, std::optional<std::int64_t> frames);

  /// What is to come: so many frames, the last of them faded out; or all until the first station's piece has
  /// died away, if it has an end. [setup]
  void begin(std::optional<std::int64_t> frames);
  /// Renders another block; false when all has been heard. Throws DeviceLost, and as the stations' `hear`.
  /// [setup]
  bool step();
  /// Fades out from the next block on, within a third of a second. Throws DeviceLost. [setup]
  void stop();
  /// Voices of the first station that can be heard. [setup]
  [[nodiscard]] int sounding() const noexcept;

 private:
  class Player;

  void perform(int frames);
  void submit(std::span<synth::VoiceEvent> events, int frames);
  void hear_oldest();
  [[nodiscard]] int frames_until_silence(std::span<const float> samples);

  int sample_rate_hz_;
  int block_frames_;
  synth::StationEffects first_effects_;
  std::optional<std::int64_t> end_of_notes_;
  synth::Renderer renderer_;
  std::vector<Player> players_;
  std::vector<synth::VoiceEvent> events_;
  int in_flight_ = 0;
  std::int64_t fetched_ = 0;  // frames, with those of the latency
  std::int64_t heard_ = 0;    // without
  std::optional<std::int64_t> frames_;
  std::int64_t fade_frames_ = 0;
  float loudest_ = 0;  // since the tail was last looked at
  std::int64_t silent_voices_from_ = 0;
};

}  // namespace ringwave::cli
