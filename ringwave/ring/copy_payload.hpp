// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

namespace ringwave::ring {

/// Copies a payload. A short one of whole 16 bytes takes no call, and whoever reads it next takes its pieces
/// from the CPU's own stores before they are in the cache. [any]
inline void copy_payload(std::byte* to, const void* from, std::size_t bytes) noexcept {
  constexpr std::size_t kPiece = 16;
  constexpr std::size_t kMost = 64;
  if (bytes > kMost || bytes % kPiece != 0) {
    std::memcpy(to, from, bytes);
    return;
  }
  const auto* const source = static_cast<const std::byte*>(from);
  for (std::size_t at = 0; at < bytes; at += kPiece) std::memcpy(to + at, source + at, kPiece);
}

}  // namespace ringwave::ring
