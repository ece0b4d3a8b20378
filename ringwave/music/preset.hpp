// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "ringwave/core/toml_table.hpp"
#include "ringwave/music/settings.hpp"

namespace ringwave::music {

/// Settings with a name.
struct Preset {
  std::string name;
  Settings settings;
};

/// Those that are built in: focus, meditation, sleep, bright. [any]
[[nodiscard]] std::span<const Preset> built_in_presets();

/// A built-in preset. Throws InvalidArgument, naming them all. [setup]
[[nodiscard]] const Preset& preset_of_name(std::string_view name);

/// A preset as TOML:
///
///   name = "night"
///   key = "D"
///   mode = "dorian"
///   bpm = 60
///   intensity = 0.5
///   melody_complexity = 0.5
///   progression_variety = 0.5
///   harmonic_density = 0.5
///   layers = ["pads", "melody", "bass", "bells", "kicks", "swells", "hats"]
///
/// What is absent is as in Settings, the name the file's. Throws BadFile, naming file, line and key. [setup]
[[nodiscard]] Preset load_preset(const std::filesystem::path& path);
[[nodiscard]] Preset preset_from(TomlTable table, std::string name);

/// The text of such a file. [setup]
[[nodiscard]] std::string to_toml(const Preset& preset);

}  // namespace ringwave::music
