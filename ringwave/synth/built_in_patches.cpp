// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/built_in_patches.hpp"

#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::synth {
namespace {

using Source = Patch::Source;
using Target = Patch::Target;
using Wave = Patch::Wave;

/// Two saws fourteen cents apart, drifting, in a filter that breathes.
Patch pad() {
  Patch patch{.name = "pad"};
  patch.vcos = {Patch::Vco{.wave = Wave::saw, .cents = -7, .level = 0.35},
                Patch::Vco{.wave = Wave::saw, .cents = 7, .level = 0.35}};
  patch.lfos = {Patch::Lfo{.wave = Wave::sine, .hz = 0.13}, Patch::Lfo{.wave = Wave::triangle, .hz = 0.31}};
  patch.filter = {.hz = 650, .q = 0.9, .key = 0.4};
  patch.envelopes[0] = {.attack_s = 1.8, .decay_s = 3, .sustain = 0.75, .release_s = 3};
  patch.envelopes[1] = {.attack_s = 2.5, .decay_s = 4, .sustain = 0.5, .release_s = 3};
  patch.wires = {{Source::lfo1, Target::cutoff, 0.5},
                 {Source::env2, Target::cutoff, 0.8},
                 {Source::velocity, Target::cutoff, 0.7},
                 {Source::lfo2, Target::pitch1, 0.03},
                 {Source::lfo2, Target::pitch2, -0.03}};
  return patch;
}

/// A triangle with a little of a soft pulse, a late vibrato.
Patch lead() {
  Patch patch{.name = "lead"};
  patch.vcos = {Patch::Vco{.wave = Wave::triangle, .level = 0.7},
                Patch::Vco{.wave = Wave::pulse, .cents = 4, .width = 0.35, .level = 0.18}};
  patch.lfos[0] = {.wave = Wave::sine, .hz = 5.1};
  patch.filter = {.hz = 1600, .q = 0.8, .key = 0.6};
  patch.envelopes[0] = {.attack_s = 0.04, .decay_s = 0.6, .sustain = 0.65, .release_s = 0.7};
  patch.envelopes[1] = {.attack_s = 0.02, .decay_s = 0.8, .sustain = 0.2, .release_s = 0.5};
  patch.wires = {{Source::lfo1, Target::pitch1, 0.08},
                 {Source::lfo1, Target::pitch2, 0.08},
                 {Source::env2, Target::cutoff, 1.2},
                 {Source::velocity, Target::cutoff, 0.8}};
  patch.glide_s = 0.03;
  return patch;
}

/// A sine with a saw above it that the filter takes away as the note goes on.
Patch bass() {
  Patch patch{.name = "bass"};
  patch.vcos = {Patch::Vco{.wave = Wave::sine, .level = 0.8}, Patch::Vco{.wave = Wave::saw, .level = 0.25}};
  patch.filter = {.hz = 220, .q = 0.8, .key = 0.5};
  patch.envelopes[0] = {.attack_s = 0.012, .decay_s = 1.5, .sustain = 0.6, .release_s = 0.35};
  patch.envelopes[1] = {.attack_s = 0.005, .decay_s = 0.5, .sustain = 0, .release_s = 0.3};
  patch.wires = {{Source::env2, Target::cutoff, 1.8}, {Source::velocity, Target::cutoff, 0.6}};
  patch.gain_db = 2;
  return patch;
}

/// A saw whose filter closes in a third of a second.
Patch pluck() {
  Patch patch{.name = "pluck"};
  patch.vcos = {Patch::Vco{.wave = Wave::saw, .level = 0.6},
                Patch::Vco{.wave = Wave::triangle, .semitones = 12, .level = 0.2}};
  patch.filter = {.hz = 300, .q = 1.2, .key = 0.7};
  patch.envelopes[0] = {.attack_s = 0.002, .decay_s = 1.1, .sustain = 0, .release_s = 0.5};
  patch.envelopes[1] = {.attack_s = 0.001, .decay_s = 0.33, .sustain = 0, .release_s = 0.3};
  patch.wires = {{Source::env2, Target::cutoff, 4}, {Source::velocity, Target::cutoff, 1}};
  return patch;
}

/// Two modes of a bar that is struck: the second lies 2.756 times above the first, as a free bar's does, and
/// dies away four times as fast.
Patch bell() {
  Patch patch{.name = "bell"};
  patch.vcos = {Patch::Vco{.wave = Wave::sine, .level = 0.6},
                Patch::Vco{.wave = Wave::sine, .semitones = 17, .cents = 55, .level = 0}};
  patch.filter = {.hz = 16000, .q = 0.7071};
  patch.envelopes[0] = {.attack_s = 0.002, .decay_s = 3.2, .sustain = 0, .release_s = 2.5};
  patch.envelopes[1] = {.attack_s = 0.001, .decay_s = 0.8, .sustain = 0, .release_s = 0.6};
  patch.wires = {{Source::env2, Target::level2, 0.35}};
  return patch;
}

/// A sine that falls from three octaves above the key within a tenth of a second.
Patch kick() {
  Patch patch{.name = "kick"};
  patch.vcos = {Patch::Vco{.wave = Wave::sine, .semitones = -4, .level = 0.95}, Patch::Vco{.level = 0}};
  patch.filter = {.hz = 4000, .q = 0.7071};
  patch.envelopes[0] = {.attack_s = 0.001, .decay_s = 0.28, .sustain = 0, .release_s = 0.25};
  patch.envelopes[1] = {.attack_s = 0, .decay_s = 0.12, .sustain = 0, .release_s = 0.12};
  patch.wires = {{Source::env2, Target::pitch1, 30}};
  patch.gain_db = 3;
  return patch;
}

/// Noise that a filter opens slowly, and that wanders between the sides.
Patch swell() {
  Patch patch{.name = "swell"};
  patch.vcos[0].level = 0;
  patch.noise_level = 0.6;
  patch.lfos = {Patch::Lfo{.wave = Wave::sine, .hz = 0.2}, Patch::Lfo{.wave = Wave::sine, .hz = 0.37}};
  patch.filter = {.response = Patch::Response::band, .hz = 500, .q = 1.1};
  patch.envelopes[0] = {.attack_s = 3.5, .decay_s = 2, .sustain = 0.8, .release_s = 2.5};
  patch.envelopes[1] = {.attack_s = 4.5, .decay_s = 3, .sustain = 0.7, .release_s = 2};
  patch.wires = {{Source::env2, Target::cutoff, 2.2},
                 {Source::lfo1, Target::cutoff, 0.4},
                 {Source::lfo2, Target::pan, 0.5}};
  patch.gain_db = -9;
  return patch;
}

/// A breath of noise without its lower half.
Patch hat() {
  Patch patch{.name = "hat"};
  patch.vcos[0].level = 0;
  patch.noise_level = 0.5;
  patch.filter = {.response = Patch::Response::high, .hz = 7500, .q = 0.9};
  patch.envelopes[0] = {.attack_s = 0.001, .decay_s = 0.07, .sustain = 0, .release_s = 0.05};
  patch.gain_db = -8;
  return patch;
}

}  // namespace

std::span<const Patch> built_in_patches() {
  static const std::array patches{pad(), lead(), bass(), pluck(), bell(), kick(), swell(), hat()};
  return patches;
}

const Patch& patch_of_name(std::string_view name) {
  std::string known;
  for (const Patch& patch : built_in_patches()) {
    if (patch.name == name) return patch;
    known += (known.empty() ? "" : ", ") + patch.name;
  }
  throw InvalidArgument("'" + std::string(name) + "' is no voice; use " + known +
                        ", or a file that ends in .toml");
}

const Patch& patch_of_layer(music::Layer layer) {
  using music::Layer;
  switch (layer) {
    case Layer::pads:
      return patch_of_name("pad");
    case Layer::melody:
      return patch_of_name("lead");
    case Layer::bass:
      return patch_of_name("bass");
    case Layer::bells:
      return patch_of_name("bell");
    case Layer::kicks:
      return patch_of_name("kick");
    case Layer::swells:
      return patch_of_name("swell");
    case Layer::hats:
      break;
  }
  return patch_of_name("hat");
}

}  // namespace ringwave::synth
