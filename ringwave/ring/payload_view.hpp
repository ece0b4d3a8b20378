// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>

#include "ringwave/core/host_device.hpp"

namespace ringwave::ring {

/// The bytes of a message as an array. Every access is checked: one beyond the end reads or writes an element
/// that belongs to nobody, and the kernel fails when the handler returns, instead of tearing what lies
/// behind.
template <class T>
class PayloadView {
  static_assert(std::is_trivially_copyable_v<T>, "a payload's elements cross to the device as bytes");

 public:
  RW_HOST_DEVICE PayloadView(T* data, std::size_t size, bool* overrun)
      : data_(data), size_(size), overrun_(overrun) {}

  [[nodiscard]] RW_HOST_DEVICE std::size_t size() const { return size_; }
  [[nodiscard]] RW_HOST_DEVICE bool empty() const { return size_ == 0; }
  /// For code that keeps the bounds by itself. [ring]
  [[nodiscard]] RW_HOST_DEVICE T* data() const { return data_; }

  /// [ring]
  [[nodiscard]] RW_HOST_DEVICE T& operator[](std::size_t index) {
    if (index < size_) return data_[index];
    *overrun_ = true;
    return const_cast<T&>(beyond_);
  }

 private:
  T* data_;
  std::size_t size_;
  bool* overrun_;
  std::remove_const_t<T> beyond_{};
};

}  // namespace ringwave::ring
