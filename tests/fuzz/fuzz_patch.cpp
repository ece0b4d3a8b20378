// SPDX-License-Identifier: Apache-2.0
// Any text is a patch or BadFile. A voice plays a patch with finite samples, whatever its wires do.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/synth/patch.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace {

using ringwave::synth::Patch;
using ringwave::synth::VoiceRule;

std::optional<Patch> read(std::string_view text) {
  try {
    return ringwave::synth::patch_from(ringwave::TomlTable::from_text(text, "fuzz.toml"), "fuzz");
  } catch (const ringwave::BadFile&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto patch = read({reinterpret_cast<const char*>(data), size});
  if (!patch) return 0;
  const VoiceRule::Constants constants(*patch, 48000);
  VoiceRule::State state;
  VoiceRule::begin(constants, state, {.key = 60});
  for (int n = 0; n < 256; ++n) {
    if (n == 128) VoiceRule::release(constants, state);
    if (n % VoiceRule::kControlFrames == 0) VoiceRule::control(constants, state);
    const VoiceRule::Frame frame = VoiceRule::step(constants, state);
    if (!std::isfinite(frame.left) || !std::isfinite(frame.right)) std::abort();
  }
  return 0;
}
