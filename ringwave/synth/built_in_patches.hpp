// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "ringwave/music/layer.hpp"
#include "ringwave/synth/patch.hpp"

namespace ringwave::synth {

/// The named voices: pad, lead, bass, pluck, bell, kick, swell, hat. [any]
[[nodiscard]] std::span<const Patch> built_in_patches();

/// One of them. Throws InvalidArgument, naming them all. [setup]
[[nodiscard]] const Patch& patch_of_name(std::string_view name);

/// What a layer of a piece is played with. [any]
[[nodiscard]] const Patch& patch_of_layer(music::Layer layer);

}  // namespace ringwave::synth
