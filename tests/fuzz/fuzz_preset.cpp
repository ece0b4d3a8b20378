// SPDX-License-Identifier: Apache-2.0
// Any text is a preset or BadFile. A preset is valid, can be played, and comes back from its own text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/music/composer.hpp"
#include "ringwave/music/preset.hpp"

namespace {

using ringwave::music::Preset;

std::optional<Preset> read(std::string_view text) {
  try {
    return ringwave::music::preset_from(ringwave::TomlTable::from_text(text, "fuzz.toml"), "fuzz");
  } catch (const ringwave::BadFile&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto preset = read({reinterpret_cast<const char*>(data), size});
  if (!preset) return 0;
  (void)ringwave::music::Composer(preset->settings, 1).bar(1000);
  const auto back = read(to_toml(*preset));
  if (!back || back->name != preset->name || !(back->settings == preset->settings)) std::abort();
  return 0;
}
