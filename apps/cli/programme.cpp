// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/programme.hpp"

#include <algorithm>
#include <filesystem>

#include "ringwave/core/error.hpp"
#include "ringwave/music/midi_file.hpp"

namespace ringwave::cli {
Programme composed_programme(const music::Preset& preset, std::uint64_t seed, int sample_rate_hz,
                             std::optional<std::uint8_t> patch) {
  return {std::make_unique<synth::ComposedPiece>(preset.settings, seed, sample_rate_hz, patch),
          synth::effects_of(preset.settings), preset.name + ", seed " + std::to_string(seed)};
}

Programme midi_programme(const std::string& path, int sample_rate_hz, std::optional<std::uint8_t> patch) {
  const music::MidiFile file = music::MidiFile::load(path);
  const auto performance = std::make_shared<const synth::MidiPerformance>(file, sample_rate_hz);
  if (performance->notes.empty()) throw BadFile(path + " has no notes, and there is nothing to render");
  const int beat_us = file.tempi.empty() ? music::MidiFile::Tempo{}.microseconds_per_beat
                                         : file.tempi[0].microseconds_per_beat;
  synth::StationEffects effects;
  effects.delay.seconds = synth::tempo_delay(60e6 / std::max(1, beat_us));
  return {std::make_unique<synth::MidiPiece>(performance, patch), effects,
          std::filesystem::path(path).filename().string()};
}

}  // namespace ringwave::cli
