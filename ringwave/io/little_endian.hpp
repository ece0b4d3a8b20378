// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ringwave::io {

/// Bytes as RIFF has them, one after the other; numbers begin with their lowest byte.
class LittleEndian {
 public:
  void text(std::string_view text) { bytes(std::as_bytes(std::span(text))); }

  void bytes(std::span<const std::byte> more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }

  template <class Integer>
  void integer(Integer value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
      bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xffU));
  }

  [[nodiscard]] const std::vector<std::byte>& get() const noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace ringwave::io
