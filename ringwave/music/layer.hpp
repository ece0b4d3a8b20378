// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>

namespace ringwave::music {

/// What plays together in a piece.
enum class Layer : unsigned char { pads, melody, bass, bells, kicks, swells, hats };

inline constexpr std::array kAllLayers{Layer::pads,  Layer::melody, Layer::bass, Layer::bells,
                                       Layer::kicks, Layer::swells, Layer::hats};

/// [any]
[[nodiscard]] std::string_view to_string(Layer layer) noexcept;
/// Throws InvalidArgument. [setup]
[[nodiscard]] Layer layer_of_name(std::string_view name);

/// Which layers are on.
class LayerSet {
 public:
  constexpr LayerSet() noexcept = default;
  constexpr LayerSet(std::initializer_list<Layer> layers) noexcept {
    for (const Layer layer : layers) set(layer, true);
  }
  /// [any]
  [[nodiscard]] static constexpr LayerSet all() noexcept {
    LayerSet made;
    for (const Layer layer : kAllLayers) made.set(layer, true);
    return made;
  }
  [[nodiscard]] constexpr bool has(Layer layer) const noexcept { return (bits_ & bit(layer)) != 0; }
  constexpr void set(Layer layer, bool on) noexcept { bits_ = on ? bits_ | bit(layer) : bits_ & ~bit(layer); }
  friend constexpr bool operator==(const LayerSet&, const LayerSet&) = default;

 private:
  static constexpr unsigned bit(Layer layer) noexcept { return 1U << static_cast<unsigned>(layer); }
  unsigned bits_ = 0;
};

}  // namespace ringwave::music
