// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringwave/core/realtime.hpp"
#include "ringwave/synth/knob_math.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {

/// Voices of one patch side by side, a voice a lane: VoiceRule::State turned on its side. A lane that nobody
/// plays in is silent.
struct alignas(64) VoiceLanes {
  static constexpr std::size_t kLanes = 16;
  using Floats = float[kLanes];
  using Words = std::uint32_t[kLanes];

  struct Envelope {
    Floats away{};
    Words stage{};  ///< an EnvelopeRule::Stage
  };
  struct Lines {
    Floats levels[2]{};
    Floats noise{};
    Floats g{};
    Floats k{};
    Floats left{};
    Floats right{};
  };

  Words phases[2]{};
  Words steps[2]{};
  Floats inverses[2]{};
  Words widths[2]{};
  Words lfo_phases[2]{};
  Words noise{};
  Envelope amp{};
  Envelope slow_envelopes[VoiceRule::kSlowEnvelopes]{};
  Floats filter_first{};
  Floats filter_second{};
  Lines now{};
  Lines slope{};
  Floats key{};
  Floats pitch{};
  Floats velocity{};
  Floats pan{};
  Floats left{};  ///< how loud it is on either side
  Floats right{};

  /// A voice takes its seat. [audio]
  void put(std::size_t lane, const VoiceRule::State& state) noexcept {
    each(*this, state, [lane](auto& row, const auto& value) {
      row[lane] = static_cast<std::remove_reference_t<decltype(row[lane])>>(value);
    });
  }

  /// Where it has come to. [audio]
  [[nodiscard]] VoiceRule::State at(std::size_t lane) const noexcept {
    VoiceRule::State state;
    each(*this, state, [lane](const auto& row, auto& value) {
      value = static_cast<std::remove_reference_t<decltype(value)>>(row[lane]);
    });
    return state;
  }

  [[nodiscard]] bool is_silent(std::size_t lane) const noexcept {
    return amp.stage[lane] == static_cast<std::uint32_t>(EnvelopeRule::Stage::off);
  }

 private:
  /// Every row beside its member of the state.
  template <class Lanes, class State, class Visit>
  static void each(Lanes& lanes, State& state, Visit visit) noexcept {
    for (std::size_t i = 0; i < 2; ++i) {
      visit(lanes.phases[i], state.phases[i]);
      visit(lanes.steps[i], state.steps[i]);
      visit(lanes.inverses[i], state.inverses[i]);
      visit(lanes.widths[i], state.widths[i]);
      visit(lanes.lfo_phases[i], state.lfo_phases[i]);
    }
    visit(lanes.noise, state.noise);
    each_of_envelope(lanes.amp, state.amp, visit);
    for (std::size_t i = 0; i < VoiceRule::kSlowEnvelopes; ++i)
      each_of_envelope(lanes.slow_envelopes[i], state.slow_envelopes[i], visit);
    visit(lanes.filter_first, state.filter.first);
    visit(lanes.filter_second, state.filter.second);
    each_line(lanes.now, state.now, visit);
    each_line(lanes.slope, state.slope, visit);
    visit(lanes.key, state.key);
    visit(lanes.pitch, state.pitch);
    visit(lanes.velocity, state.velocity);
    visit(lanes.left, state.sides.left);
    visit(lanes.right, state.sides.right);
    visit(lanes.pan, state.pan);
  }

  template <class Lanes, class State, class Visit>
  static void each_of_envelope(Lanes& lanes, State& state, Visit visit) noexcept {
    visit(lanes.away, state.away);
    visit(lanes.stage, state.stage);
  }

  template <class Lanes, class State, class Visit>
  static void each_line(Lanes& lanes, State& state, Visit visit) noexcept {
    for (std::size_t i = 0; i < 2; ++i) visit(lanes.levels[i], state.levels[i]);
    visit(lanes.noise, state.noise);
    visit(lanes.g, state.g);
    visit(lanes.k, state.k);
    visit(lanes.left, state.left);
    visit(lanes.right, state.right);
  }
};

/// What voices play in a chunk, each in a row of its own.
struct alignas(64) VoiceRows {
  float left[VoiceLanes::kLanes][kChunkFrames]{};
  float right[VoiceLanes::kLanes][kChunkFrames]{};
};

/// Plays up to kChunkFrames frames of the first `voices` lanes, from frame `clock` on: VoiceRule::control()
/// and step() in every lane, the same operations on the same numbers in the same order, hence the same bits.
/// The subnormals should be flushed as FlushSubnormals does, or not, in both. [audio]
RW_REALTIME void play_lanes(const VoiceRule::Constants& constants, VoiceLanes& lanes, std::size_t voices,
                            std::int64_t clock, int frames, VoiceRows& rows) noexcept;

}  // namespace ringwave::synth
