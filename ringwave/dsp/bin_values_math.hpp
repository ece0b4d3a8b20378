// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "ringwave/core/host_device.hpp"
#include "ringwave/dsp/bin_values.hpp"

namespace ringwave::dsp {

/// |X|^2 at a floor in decibels.
[[nodiscard]] inline float power_at(float floor_db) noexcept {
  return std::pow(10.0F, floor_db / 10);
}

/// The value of one bin; `least_power` is the floor of decibels.
template <BinValues::Quantity kQuantity>
[[nodiscard]] RW_HOST_DEVICE inline float bin_value(float real, float imaginary, float least_power) noexcept {
  const float power = real * real + imaginary * imaginary;
  if constexpr (kQuantity == BinValues::Quantity::magnitude) return sqrtf(power);
  if constexpr (kQuantity == BinValues::Quantity::power) return power;
  if constexpr (kQuantity == BinValues::Quantity::phase) return atan2f(imaginary, real);
  if constexpr (kQuantity == BinValues::Quantity::decibels)
    return 10 * log10f(power > least_power ? power : least_power);  // false for NaN
}

/// Calls `use` with the quantity as a constant.
template <class Use>
auto with_quantity(BinValues::Quantity quantity, Use use) noexcept {
  using Quantity = BinValues::Quantity;
  switch (quantity) {
    case Quantity::magnitude:
      return use(std::integral_constant<Quantity, Quantity::magnitude>{});
    case Quantity::power:
      return use(std::integral_constant<Quantity, Quantity::power>{});
    case Quantity::phase:
      return use(std::integral_constant<Quantity, Quantity::phase>{});
    case Quantity::decibels:
      break;
  }
  return use(std::integral_constant<Quantity, Quantity::decibels>{});
}

}  // namespace ringwave::dsp
