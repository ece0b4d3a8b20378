// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/piece_options.hpp"

#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/synth/built_in_patches.hpp"

namespace ringwave::cli {

void PieceOptions::add_to(CLI::App& command, const std::string& seconds_description) {
  CLI::Option* const midi =
      command.add_option("input", midi_, "The MIDI file; without one a piece is composed")->type_name("MIDI");
  const std::size_t before = command.get_options().size();
  music_.add_to(command);
  const std::vector<CLI::Option*> all = command.get_options();
  for (std::size_t i = before; i < all.size(); ++i) midi->excludes(all[i]);
  command.add_option("--seconds", seconds_, seconds_description)->type_name("S");
  command
      .add_option("--patch", patch_,
                  "A voice of your own, a .toml: it plays the melody of a composed piece, and all but the "
                  "percussion of a MIDI file")
      ->type_name("FILE");
}

std::optional<double> PieceOptions::seconds() const {
  if (seconds_ && !(*seconds_ > 0 && *seconds_ <= kMostSeconds))
    throw InvalidArgument(number_text(*seconds_) + " seconds were asked for; use more than 0, up to " +
                          number_text(kMostSeconds));
  return seconds_;
}

std::vector<synth::Patch> PieceOptions::patches() const {
  std::vector<synth::Patch> patches{synth::built_in_patches().begin(), synth::built_in_patches().end()};
  if (!patch_.empty()) patches.push_back(synth::load_patch(patch_));
  return patches;
}

Programme PieceOptions::programme(int sample_rate_hz, int number) const {
  std::optional<std::uint8_t> patch;
  if (!patch_.empty()) patch = static_cast<std::uint8_t>(synth::built_in_patches().size());
  if (!midi_.empty()) return midi_programme(midi_, sample_rate_hz, patch);
  return composed_programme(music_.preset(), seed() + static_cast<std::uint64_t>(number), sample_rate_hz,
                            patch);
}

}  // namespace ringwave::cli
