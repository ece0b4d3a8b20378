// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/frame_header.hpp"

namespace ringwave::stream {
namespace {

template <class T>
void put(std::span<std::byte> to, T value) noexcept {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    to[i] = static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i));
}

template <class T>
T get(std::span<const std::byte> from) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
  return static_cast<T>(value);
}

}  // namespace

std::array<std::byte, FrameHeader::kBytes> FrameHeader::bytes() const noexcept {
  std::array<std::byte, kBytes> made{};
  const std::span all(made);
  put(all, kVersion);
  put(all.subspan(1), static_cast<std::uint8_t>(codec));
  put(all.subspan(2), flags);
  put(all.subspan(4), sequence);
  put(all.subspan(8), sample_time);
  return made;
}

std::optional<FrameHeader> FrameHeader::parse(std::span<const std::byte> message) noexcept {
  if (message.size() < kBytes || get<std::uint8_t>(message) != kVersion) return {};
  const auto codec = get<std::uint8_t>(message.subspan(1));
  if (codec > static_cast<std::uint8_t>(Codec::opus)) return {};
  return FrameHeader{.codec = static_cast<Codec>(codec),
                     .flags = get<std::uint16_t>(message.subspan(2)),
                     .sequence = get<std::uint32_t>(message.subspan(4)),
                     .sample_time = get<std::uint64_t>(message.subspan(8))};
}

}  // namespace ringwave::stream
