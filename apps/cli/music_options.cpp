// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/music_options.hpp"

namespace ringwave::cli {

void MusicOptions::add_to(CLI::App& command) {
  command
      .add_option("--preset", preset_,
                  "What to play: focus, meditation, sleep, bright, or a preset of your own, a .toml")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--seed", seed_, "Another number is another piece; the same is the same everywhere")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--key", key_, "C, C#, Db … B, instead of the preset's")->type_name("KEY");
  command
      .add_option("--mode", mode_,
                  "ionian (or major), dorian, phrygian, lydian, mixolydian, aeolian (or minor), locrian, "
                  "harmonic-minor, major-pentatonic or minor-pentatonic, instead of the preset's")
      ->type_name("MODE");
  command.add_option("--bpm", bpm_, "Beats a minute, 40 to 120, instead of the preset's")->type_name("BPM");
  command.add_option("--intensity", intensity_, "How much plays, and how loud, 0 to 1")->type_name("X");
  command.add_option("--complexity", complexity_, "How far the melody leaves the chord, 0 to 1")
      ->type_name("X");
  command.add_option("--variety", variety_, "How far chords leave the mode's own progressions, 0 to 1")
      ->type_name("X");
  command.add_option("--density", density_, "How rich chords are and how often they change, 0 to 1")
      ->type_name("X");
  command
      .add_option("--layers", layers_,
                  "What plays, of pads, melody, bass, bells, kicks, swells, hats, with commas between them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LAYER,LAYER,…");
}

music::Preset MusicOptions::preset() const {
  music::Preset made =
      preset_.ends_with(".toml") ? music::load_preset(preset_) : music::preset_of_name(preset_);
  music::Settings& settings = made.settings;
  if (key_) settings.key = music::key_of_name(*key_);
  if (mode_) settings.mode = music::mode_of_name(*mode_);
  if (bpm_) settings.bpm = *bpm_;
  if (intensity_) settings.intensity = *intensity_;
  if (complexity_) settings.melody_complexity = *complexity_;
  if (variety_) settings.progression_variety = *variety_;
  if (density_) settings.harmonic_density = *density_;
  if (!layers_.empty()) settings.layers = {};
  for (const std::string& layer : layers_) settings.layers.set(music::layer_of_name(layer), true);
  music::require_valid(settings);
  return made;
}

}  // namespace ringwave::cli
