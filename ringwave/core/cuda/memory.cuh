// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "ringwave/core/cuda/check.cuh"
#include "ringwave/core/residents.hpp"

namespace ringwave::cuda {

/// Frees memory of cudaMalloc() once nothing is resident. [setup]
inline void free_device(void* memory) noexcept {
  Residents::instance().release(reinterpret_cast<std::uintptr_t>(memory),
                                [](std::uintptr_t thing) { (void)cudaFree(reinterpret_cast<void*>(thing)); });
}

/// The same of cudaHostAlloc(). [setup]
inline void free_pinned(void* memory) noexcept {
  Residents::instance().release(reinterpret_cast<std::uintptr_t>(memory), [](std::uintptr_t thing) {
    (void)cudaFreeHost(reinterpret_cast<void*>(thing));
  });
}

/// An array in the current device's memory, zeroed or a copy at construction.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    check(cudaMalloc(&data_, size * sizeof(T)),
          "allocating " + std::to_string(size * sizeof(T)) + " bytes on the GPU");
    check(cudaMemset(data_, 0, size * sizeof(T)), "clearing GPU memory");
    check(cudaStreamSynchronize(nullptr), "clearing GPU memory");  // our streams do not wait for that one
  }
  explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) {
    if (!values.empty())
      check(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice),
            "copying " + std::to_string(bytes()) + " bytes to the GPU");
  }
  ~DeviceArray() { free_device(data_); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// An array in host memory that the current device reads and writes directly, zeroed.
template <class T>
class PinnedArray {
 public:
  explicit PinnedArray(std::size_t size) : size_(size) {
    check(cudaHostAlloc(&data_, size * sizeof(T), cudaHostAllocMapped | cudaHostAllocPortable),
          "pinning " + std::to_string(size * sizeof(T)) + " bytes");
    for (std::size_t i = 0; i < size; ++i) data_[i] = T{};
  }
  ~PinnedArray() { free_pinned(data_); }
  PinnedArray(const PinnedArray&) = delete;  // the device knows its address
  PinnedArray& operator=(const PinnedArray&) = delete;

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ringwave::cuda
