// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/layer.hpp"

#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::music {

std::string_view to_string(Layer layer) noexcept {
  constexpr std::array<std::string_view, kAllLayers.size()> kNames{"pads",  "melody", "bass", "bells",
                                                                   "kicks", "swells", "hats"};
  return kNames[static_cast<std::size_t>(layer)];
}

Layer layer_of_name(std::string_view name) {
  for (const Layer layer : kAllLayers)
    if (to_string(layer) == name) return layer;
  throw InvalidArgument("'" + std::string(name) +
                        "' is no layer; use pads, melody, bass, bells, kicks, swells or hats");
}

}  // namespace ringwave::music
