// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "ringwave/core/realtime.hpp"
#include "ringwave/ring/buffer_reference.hpp"
#include "ringwave/ring/parcel_bin.hpp"

namespace ringwave::ring {

/// Memory that a message refers to instead of carrying it. Runtime::wrap() makes one.
///
/// Every message that was sent with it holds it until it is handled, dropped, expired or forgotten, and so
/// does every copy of this handle; after the last of them the runtime's own thread lets go of the memory.
/// Write into it only while no message refers to it. Those of a kernel on a GPU hold it some milliseconds
/// longer, until the runtime's thread has looked.
class Parcel {
 public:
  Parcel(const Parcel& other) noexcept : reference_(other.reference_) {
    if (block() != nullptr) block()->hold(ParcelBlock::kHandle);
  }
  Parcel(Parcel&& other) noexcept : reference_(std::exchange(other.reference_, {})) {}
  Parcel& operator=(Parcel other) noexcept {
    std::swap(reference_, other.reference_);
    return *this;
  }
  /// [audio]
  RW_REALTIME ~Parcel() {
    if (block() != nullptr) block()->release(ParcelBlock::kHandle);
  }

  /// [any]
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return block() != nullptr ? block()->bytes : std::span<const std::byte>{};
  }
  /// Messages that refer to it now. After 0 what their handlers did has been done. [audio]
  RW_REALTIME [[nodiscard]] std::uint32_t messages() const noexcept {
    return block() != nullptr ? block()->messages() : 0;
  }
  /// What travels in its place. [any]
  [[nodiscard]] const BufferReference& reference() const noexcept { return reference_; }

 private:
  friend class Runtime;
  explicit Parcel(ParcelBlock* block) noexcept
      : reference_{block->bytes.data(), block->bytes.size(), block} {}

  [[nodiscard]] ParcelBlock* block() const noexcept { return reference_.block; }

  BufferReference reference_;
};

}  // namespace ringwave::ring
