// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/preset.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::music {
namespace {

/// What a name stands for; where it stands for nothing, the complaint is the file's.
template <class Find>
auto named(const TomlTable& table, const char* key, const std::string& name, Find find) {
  try {
    return find(name);
  } catch (const InvalidArgument& error) {
    table.refuse(key, std::string("is wrong: ") + error.what());
  }
}

std::string toml_text(std::string_view text) {
  std::string made = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (letter == '"' || letter == '\\') made += '\\';
    if (code < 0x20 || code == 0x7f)
      made += std::string("\\u00") + kDigits[code >> 4U] + kDigits[code & 15U];
    else
      made += letter;
  }
  return made + '"';
}

}  // namespace

std::span<const Preset> built_in_presets() {
  static const std::array presets{
      Preset{"focus", {.key = 2, .mode = Mode::dorian, .bpm = 60, .intensity = 0.5}},
      Preset{"meditation",
             {.key = 0,
              .mode = Mode::aeolian,
              .bpm = 50,
              .intensity = 0.3,
              .melody_complexity = 0.3,
              .progression_variety = 0.3,
              .harmonic_density = 0.4,
              .layers = {Layer::pads, Layer::melody, Layer::bass, Layer::bells, Layer::swells}}},
      Preset{"sleep",
             {.key = 4,
              .mode = Mode::phrygian,
              .bpm = 40,
              .intensity = 0.2,
              .melody_complexity = 0.1,
              .progression_variety = 0.2,
              .harmonic_density = 0.3,
              .layers = {Layer::pads, Layer::melody, Layer::bass, Layer::swells}}},
      Preset{"bright",
             {.key = 7,
              .mode = Mode::lydian,
              .bpm = 70,
              .intensity = 0.6,
              .melody_complexity = 0.6,
              .progression_variety = 0.5,
              .harmonic_density = 0.6}},
  };
  return presets;
}

const Preset& preset_of_name(std::string_view name) {
  std::string known;
  for (const Preset& preset : built_in_presets()) {
    if (preset.name == name) return preset;
    known += (known.empty() ? "" : ", ") + preset.name;
  }
  throw InvalidArgument("'" + std::string(name) + "' is no preset; use " + known +
                        ", or a file that ends in .toml");
}

Preset load_preset(const std::filesystem::path& path) {
  return preset_from(TomlTable::from_file(path), path.stem().string());
}

Preset preset_from(TomlTable table, std::string name) {
  Preset made{table.text("name").value_or(std::move(name)), {}};
  Settings& settings = made.settings;
  const auto share = [&table](const char* key, double& value) {
    value = table.number(key, 0, 1).value_or(value);
  };
  if (const auto key = table.text("key")) settings.key = named(table, "key", *key, key_of_name);
  if (const auto mode = table.text("mode")) settings.mode = named(table, "mode", *mode, mode_of_name);
  settings.bpm = table.number("bpm", Settings::kLeastBpm, Settings::kMostBpm).value_or(settings.bpm);
  share("intensity", settings.intensity);
  share("melody_complexity", settings.melody_complexity);
  share("progression_variety", settings.progression_variety);
  share("harmonic_density", settings.harmonic_density);
  if (const auto layers = table.texts("layers")) {
    settings.layers = {};
    for (const std::string& layer : *layers)
      settings.layers.set(named(table, "layers", layer, layer_of_name), true);
  }
  table.require_no_others();
  return made;
}

std::string to_toml(const Preset& preset) {
  const Settings& settings = preset.settings;
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(17);
  out << "name = " << toml_text(preset.name) << "\nkey = " << toml_text(key_name(settings.key))
      << "\nmode = " << toml_text(to_string(settings.mode)) << "\nbpm = " << settings.bpm
      << "\nintensity = " << settings.intensity << "\nmelody_complexity = " << settings.melody_complexity
      << "\nprogression_variety = " << settings.progression_variety
      << "\nharmonic_density = " << settings.harmonic_density << "\nlayers = [";
  const char* comma = "";
  for (const Layer layer : kAllLayers)
    if (settings.layers.has(layer)) out << std::exchange(comma, ", ") << toml_text(to_string(layer));
  out << "]\n";
  return out.str();
}

}  // namespace ringwave::music
