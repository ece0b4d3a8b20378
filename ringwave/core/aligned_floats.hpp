// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace ringwave {

/// Zeroed floats on the host that begin with a cache line, as vector units and FFTW like them.
class AlignedFloats {
 public:
  AlignedFloats() = default;

  /// Throws std::bad_alloc. [setup]
  explicit AlignedFloats(std::size_t size)
      : data_(static_cast<float*>(::operator new[](size * sizeof(float), kAlignment))), size_(size) {
    clear();
  }

  [[nodiscard]] float* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Zeros again. [audio]
  void clear() noexcept { std::fill_n(data_.get(), size_, 0.0F); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Delete {
    void operator()(float* memory) const noexcept { ::operator delete[](memory, kAlignment); }
  };

  std::unique_ptr<float[], Delete> data_;
  std::size_t size_ = 0;
};

}  // namespace ringwave
