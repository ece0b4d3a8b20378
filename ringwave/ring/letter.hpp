// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// A message that the host received. Keep one and receive into it again: it allocates the first time.
class Letter {
 public:
  MessageHead head{};

  /// [any]
  [[nodiscard]] std::span<const std::byte> payload() const noexcept {
    return {storage_.data(), std::min<std::size_t>(head.bytes, storage_.size())};
  }

  /// The payload as a T; a T{} where it has another size. [any]
  template <class T>
  [[nodiscard]] T as() const noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (payload().size() == sizeof(T)) std::memcpy(&value, storage_.data(), sizeof(T));
    return value;
  }

  /// Room for payloads of so many bytes. [setup]
  void reserve(std::size_t bytes) {
    if (storage_.size() < bytes) storage_.resize(bytes);
  }
  [[nodiscard]] std::span<std::byte> storage() noexcept { return storage_; }

 private:
  std::vector<std::byte> storage_;
};

}  // namespace ringwave::ring
