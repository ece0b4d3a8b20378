// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/core/host_device.hpp"

namespace ringwave::dsp {

/// How much of the next response is heard when the `done`th frame of a fade over `length` frames is played.
[[nodiscard]] RW_HOST_DEVICE inline float fade_share(float done, float length) {
  const float share = done / length;
  return share < 1.0F ? share : 1.0F;
}

}  // namespace ringwave::dsp
