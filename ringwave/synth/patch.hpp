// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ringwave/core/toml_table.hpp"
#include "ringwave/synth/envelope_math.hpp"

namespace ringwave::synth {

/// A setting of the modular voice: two oscillators and noise are mixed, go through a filter, and are shaped
/// by the first envelope. Five more envelopes, two slow oscillators, the velocity and the key can each move
/// anything along wires.
struct Patch {
  enum class Wave : unsigned char { sine, triangle, saw, pulse };
  enum class Response : unsigned char { low, band, high };

  /// What a wire can come from. Envelopes, velocity and key are 0 to 1, where key is the pitch over 128; slow
  /// oscillators are -1 to 1.
  enum class Source : unsigned char { env1, env2, env3, env4, env5, env6, lfo1, lfo2, velocity, key };
  /// What it can move, and in which unit its amount is.
  enum class Target : unsigned char {
    pitch1,     ///< semitones
    pitch2,     ///< semitones
    width1,     ///< turns
    width2,     ///< turns
    level1,     ///< added to the level
    level2,     ///< added to the level
    noise,      ///< added to the level
    cutoff,     ///< octaves
    resonance,  ///< added to Q
    pan,        ///< -1 is left, 1 is right
    lfo1,       ///< octaves of its rate
    lfo2,       ///< octaves of its rate
  };
  static constexpr int kSources = 10;
  static constexpr int kTargets = 12;
  static constexpr int kEnvelopes = 6;

  struct Vco {
    Wave wave = Wave::saw;
    double semitones = 0;  ///< above the key, -48 to 48
    double cents = 0;      ///< besides, -100 to 100
    double width = 0.5;    ///< of a pulse, in turns, 0.02 to 0.98
    double level = 0.5;    ///< 0 to 1
  };
  struct Lfo {
    Wave wave = Wave::sine;
    double hz = 1;  ///< 0.01 to 40
  };
  struct Filter {
    Response response = Response::low;
    double hz = 2000;   ///< at the middle C, 20 to 20000
    double q = 0.7071;  ///< 0.5 to 50
    double key = 0;     ///< how far it follows the key: 1 is octave by octave, 0 to 1
  };
  struct Wire {
    Source from = Source::env2;
    Target to = Target::cutoff;
    double amount = 0;  ///< in the target's unit, up to 100
  };

  std::string name = "init";
  std::array<Vco, 2> vcos{Vco{}, Vco{.level = 0}};
  double noise_level = 0;  ///< 0 to 1
  std::array<Lfo, 2> lfos{};
  std::array<Adsr, kEnvelopes> envelopes{};
  Filter filter{};
  std::vector<Wire> wires{};
  double glide_s = 0;  ///< from one key to the next, 0 to 10
  double gain_db = 0;  ///< -60 to 12
};

/// True where its slow oscillators would move themselves or each other in a circle. [any]
[[nodiscard]] bool is_circular(const Patch& patch);

/// A patch as TOML; what is absent is as in Patch{}:
///
///   name = "soft pad"
///   glide_s = 0.1
///   [vco1]
///   wave = "saw"
///   cents = -7
///   [filter]
///   hz = 700
///   [env1]
///   attack_s = 2.5
///   [lfo1]
///   hz = 0.2
///   [[wire]]
///   from = "lfo1"
///   to = "cutoff"
///   amount = 0.5
///
/// Throws BadFile, naming file, line and key, for a wrong type, a value out of its range, a name that is not
/// known, and wires by which slow oscillators would move each other in a circle. [setup]
[[nodiscard]] Patch load_patch(const std::filesystem::path& path);
[[nodiscard]] Patch patch_from(TomlTable table, std::string name);

}  // namespace ringwave::synth
