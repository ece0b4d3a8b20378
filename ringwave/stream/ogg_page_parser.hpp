// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ringwave::stream {

/// The pages of an endless Ogg stream (RFC 3533) out of bytes that are cut anywhere: where each is in its
/// stream, not what it holds. Keeps nothing of the payload.
class OggPageParser {
 public:
  struct Page {
    bool begins_stream = false;
    bool ends_stream = false;
    std::uint64_t position =
        0;  ///< samples until its end: the granule position; kNoPosition where it has none
    std::uint32_t stream = 0;
    std::uint32_t sequence = 0;
    std::size_t bytes = 0;
  };

  static constexpr std::uint64_t kNoPosition = ~std::uint64_t{0};

  /// The next page that is whole, whose bytes are taken off the front of `bytes`. Nothing where all were
  /// taken. What is no page is skipped and counted. [any]
  [[nodiscard]] std::optional<Page> next(std::span<const std::byte>& bytes) noexcept;

  /// Bytes between pages. [any]
  [[nodiscard]] std::uint64_t skipped_bytes() const noexcept { return skipped_; }

 private:
  static constexpr std::size_t kHeadBytes = 27;
  static constexpr std::size_t kMostSegments = 255;

  [[nodiscard]] bool take_head(std::span<const std::byte>& bytes) noexcept;
  void read_head() noexcept;

  std::array<std::byte, kHeadBytes + kMostSegments> head_{};
  std::size_t taken_ = 0;
  std::size_t payload_left_ = 0;
  std::optional<Page> page_;  // whose payload comes
  std::uint64_t skipped_ = 0;
};

}  // namespace ringwave::stream
