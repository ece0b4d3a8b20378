// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "ringwave/ring/message.hpp"
#include "ringwave/ring/parcel.hpp"

namespace ringwave::ring {

/// A message to be sent: a head, of which type, priority, argument, id and deadline_ns are the sender's, and
/// a payload, or a parcel in its place.
struct Outgoing {
  MessageHead head{};
  std::span<const std::byte> payload{};
  const Parcel* parcel = nullptr;  ///< the payload by reference; it lives until the message is sent

  /// A message that carries one value. `value` must live until it is sent. [any]
  template <class T>
  requires std::is_trivially_copyable_v<T>
  [[nodiscard]] static Outgoing of(std::uint32_t type, const T& value,
                                   std::uint8_t priority = kNormal) noexcept {
    Outgoing message;
    message.head.type = type;
    message.head.priority = priority;
    message.payload = std::as_bytes(std::span(&value, 1));
    return message;
  }

  /// A message that refers to memory. [any]
  [[nodiscard]] static Outgoing of(std::uint32_t type, const Parcel& parcel,
                                   std::uint8_t priority = kNormal) noexcept {
    Outgoing message;
    message.head.type = type;
    message.head.priority = priority;
    message.parcel = &parcel;
    return message;
  }
};

}  // namespace ringwave::ring
