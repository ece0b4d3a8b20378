// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ringwave::stream {

/// What stands before the payload of every binary message, little-endian:
///
///   u8 version, u8 codec, u16 flags, u32 sequence, u64 sample time of the first frame
struct FrameHeader {
  static constexpr std::size_t kBytes = 16;
  static constexpr std::uint8_t kVersion = 1;
  static constexpr std::uint16_t kDiscontinuous = 1;  ///< the station had stopped before this frame

  enum class Codec : std::uint8_t { pcm = 0, opus = 1 };

  Codec codec = Codec::pcm;
  std::uint16_t flags = 0;
  std::uint32_t sequence = 0;
  std::uint64_t sample_time = 0;

  /// [any]
  [[nodiscard]] std::array<std::byte, kBytes> bytes() const noexcept;
  /// Nothing where it is too short, or of a version or codec that is not known. [any]
  [[nodiscard]] static std::optional<FrameHeader> parse(std::span<const std::byte> message) noexcept;

  friend bool operator==(const FrameHeader&, const FrameHeader&) = default;
};

}  // namespace ringwave::stream
