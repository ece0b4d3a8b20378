// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ringwave/music/preset.hpp"
#include "ringwave/synth/piece.hpp"
#include "ringwave/synth/station_effects.hpp"

namespace ringwave::cli {

/// A piece, and how it sounds.
struct Programme {
  std::unique_ptr<synth::Piece> piece;
  synth::StationEffects effects;
  std::string title;
};

/// What a preset and a seed come to. `patch` as for synth::ComposedPiece. [setup]
[[nodiscard]] Programme composed_programme(const music::Preset& preset, std::uint64_t seed,
                                           int sample_rate_hz, std::optional<std::uint8_t> patch);

/// A MIDI file with an echo in its first tempo. `patch` as for synth::MidiPiece. Throws BadFile, also where
/// there are no notes. [setup]
[[nodiscard]] Programme midi_programme(const std::string& path, int sample_rate_hz,
                                       std::optional<std::uint8_t> patch);

}  // namespace ringwave::cli
