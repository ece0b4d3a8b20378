// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/payload_view.hpp"

namespace ringwave::ring {

/// Bytes that travel inside a message; more goes by reference to a Buffer.
inline constexpr std::size_t kMostPayloadBytes = 65536;

/// Queues of a kernel, one for each band of priorities: 0–63 low, 64–159 normal, 160–223 high, 224–255
/// system. Inside a band the first that came is the first that goes; a higher band always goes before a lower
/// one.
inline constexpr std::size_t kBands = 4;

/// The priorities in the middle of the bands, for those who want no finer ones.
inline constexpr std::uint8_t kLow = 32;
inline constexpr std::uint8_t kNormal = 128;
inline constexpr std::uint8_t kHigh = 192;
inline constexpr std::uint8_t kSystem = 240;

/// Band of a priority, 0 the lowest. [any]
[[nodiscard]] RW_HOST_DEVICE constexpr std::size_t band_of(std::uint8_t priority) {
  return static_cast<std::size_t>((priority >= 64) + (priority >= 160) + (priority >= 224));
}

/// What travels before the payload.
struct MessageHead {
  std::uint64_t id = 0;           ///< 0: the runtime gives it one
  std::uint64_t correlation = 0;  ///< of a reply, that of its request
  std::int64_t deadline_ns = 0;   ///< by ring_now_ns(); 0: none
  std::int64_t sent_ns = 0;       ///< by the same clock
  std::uint32_t type = 0;         ///< what the handler knows it by
  std::uint32_t bytes = 0;        ///< of payload
  std::uint32_t argument = 0;     ///< a small number for the handler, beside the payload
  std::uint16_t source = 0;       ///< number of the kernel that sent it; 0: the host
  std::uint8_t priority = kNormal;
  std::uint8_t flags = 0;

  static constexpr std::uint8_t kRequest = 1;      ///< somebody waits for the reply to `correlation`
  static constexpr std::uint8_t kByReference = 2;  ///< the payload is a BufferReference
  static constexpr std::uint8_t kVerdict = 4;      ///< a reply without payload whose type is a Delivery
};
static_assert(sizeof(MessageHead) == 48 && std::is_trivially_copyable_v<MessageHead>,
              "it crosses to the device as twelve words");

/// A message as a handler sees it: valid until on_message() returns.
class Message {
 public:
  RW_HOST_DEVICE Message(const MessageHead& head, const std::byte* payload, bool* overrun)
      : head_(&head), payload_(payload), overrun_(overrun) {}

  [[nodiscard]] RW_HOST_DEVICE std::uint64_t id() const { return head_->id; }
  [[nodiscard]] RW_HOST_DEVICE std::uint64_t correlation() const { return head_->correlation; }
  [[nodiscard]] RW_HOST_DEVICE std::uint32_t type() const { return head_->type; }
  [[nodiscard]] RW_HOST_DEVICE std::uint32_t argument() const { return head_->argument; }
  [[nodiscard]] RW_HOST_DEVICE std::uint32_t bytes() const { return head_->bytes; }
  [[nodiscard]] RW_HOST_DEVICE std::uint16_t source() const { return head_->source; }
  [[nodiscard]] RW_HOST_DEVICE std::uint8_t priority() const { return head_->priority; }
  [[nodiscard]] RW_HOST_DEVICE bool is_request() const { return (head_->flags & MessageHead::kRequest) != 0; }
  [[nodiscard]] RW_HOST_DEVICE const MessageHead& head() const { return *head_; }
  [[nodiscard]] RW_HOST_DEVICE const std::byte* data() const { return payload_; }

  /// The payload as an array of T; a rest that makes no whole T is left out. [ring]
  template <class T>
  [[nodiscard]] RW_HOST_DEVICE PayloadView<const T> view() const {
    return {reinterpret_cast<const T*>(payload_), bytes() / sizeof(T), overrun_};
  }

 private:
  const MessageHead* head_;
  const std::byte* payload_;  // aligned to 16 bytes
  bool* overrun_;
};

}  // namespace ringwave::ring
