// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ringwave::server {

/// What stands before the payload of a WebSocket's binary message from a server: one whole frame, not masked
/// (RFC 6455, 5.2). Payloads of more than 65535 bytes are none of ours.
class BinaryFrameHead {
 public:
  constexpr BinaryFrameHead() noexcept = default;
  explicit constexpr BinaryFrameHead(std::size_t payload_bytes) noexcept {
    constexpr std::uint8_t kFinalBinary = 0x82;
    constexpr std::uint8_t kLengthFollows = 126;
    const bool is_short = payload_bytes < kLengthFollows;
    bytes_ = {kFinalBinary, is_short ? static_cast<std::uint8_t>(payload_bytes) : kLengthFollows,
              static_cast<std::uint8_t>(payload_bytes >> 8), static_cast<std::uint8_t>(payload_bytes)};
    size_ = is_short ? 2 : 4;
  }

  [[nodiscard]] constexpr const std::uint8_t* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

 private:
  std::array<std::uint8_t, 4> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace ringwave::server
