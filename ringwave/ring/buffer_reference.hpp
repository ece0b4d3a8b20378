// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

struct ParcelBlock;

/// The payload of a message by reference, where the message itself travels.
struct BufferReference {
  const std::byte* data = nullptr;
  std::uint64_t bytes = 0;       ///< fits into 32 bits
  ParcelBlock* block = nullptr;  ///< keeps `data`; the message holds it
};
static_assert(sizeof(BufferReference) == 24 && std::is_trivially_copyable_v<BufferReference>,
              "it travels as a payload");

/// [any]
[[nodiscard]] RW_HOST_DEVICE inline bool is_by_reference(const MessageHead& head) noexcept {
  return (head.flags & MessageHead::kByReference) != 0;
}

/// That of a message by reference. [any]
[[nodiscard]] inline BufferReference reference_in(const void* payload) noexcept {
  BufferReference reference;
  std::memcpy(&reference, payload, sizeof reference);
  return reference;
}

}  // namespace ringwave::ring
