// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/ring/slot.hpp"

namespace ringwave::ring::cuda {

/// Messages in shared memory, from the warps that found them to those that handle them. A full place is the
/// workers', an empty one the looker's. For each source and band there is a place for the next message, and
/// there are some for those that follow it, each in the place that its index gives it.
struct Trays {
  static constexpr std::uint32_t kHostAhead = 4;  ///< messages of a band after the next one
  static constexpr std::uint32_t kPeerAhead = 1;
  static constexpr std::uint32_t kHostPlaces = kBands * (1 + kHostAhead);
  static constexpr std::uint32_t kPlaces = kHostPlaces + kBands * (1 + kPeerAhead);
  static_assert(kPlaces <= 32, "a warp watches them all");

  alignas(16) std::uint32_t words[kPlaces][Slot::kWords];  ///< a WireHead, then a payload of up to 64 bytes
  std::uint32_t index[kPlaces];                            ///< in their ring, the lower half
  std::uint32_t band[kPlaces];
  std::uint32_t full[kPlaces];

  /// 0: the host's messages, 1: those of other kernels. [ring]
  [[nodiscard]] __device__ static constexpr std::uint32_t source_of(std::uint32_t place) {
    return place < kHostPlaces ? 0 : 1;
  }
};

}  // namespace ringwave::ring::cuda
