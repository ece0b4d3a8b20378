// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/host_window.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/error.hpp"
#include "ringwave/ring/shared_memory.hpp"
#include "ringwave/ring/slot.hpp"
#include "ringwave/ring/wire_ring.hpp"

namespace ringwave::ring::cuda {

/// Where the host's messages for a kernel lie: in the device's memory, into which the host stores through a
/// window. Where there is no window, or RINGWAVE_RING_WINDOW is 0, they lie in the host's, and the kernel's
/// courier carries them over; where it is 1, there must be a window.
class HostInbox {
 public:
  /// Of the current device; slots for `capacity` messages of each band. Throws OutOfMemory, and
  /// DeviceUnavailable where a window must be and cannot. [setup]
  HostInbox(Device device, std::size_t capacity, std::size_t max_payload_bytes) {
    const std::size_t stride = Slot::stride(max_payload_bytes);
    const std::size_t bytes = kBands * capacity * stride;
    open_window(device, bytes);
    if (window_ != nullptr) {
      written_ = WireRing::of(window_->host(), capacity, stride);
      at_device_ = WireRing::of(window_->device(), capacity, stride);
      return;
    }
    mail_.emplace(device, bytes);
    carried_ = ringwave::cuda::DeviceArray<std::byte>(kBands * capacity * Slot::kPlain);
    written_ = WireRing::of(mail_->data(), capacity, stride);
    at_device_ = WireRing::of(carried_.data(), capacity, Slot::kPlain);
  }

  /// By whoever has claimed that message. [audio]
  void write(std::size_t band, std::uint64_t index, const MessageHead& head, const void* payload) noexcept {
    std::byte* const slot = written_.slot(index, band);
    if (window_ != nullptr) return write_lines(slot, written_.epoch(index), head, payload);
    write_cells(slot, written_.epoch(index), head, payload);
    // The device has read the lines of the slots to come since they were here: they come back while nobody
    // waits.
    constexpr std::uint64_t kAhead = 4;
    const std::byte* const later = written_.slot(index + kAhead, band);
    for (std::size_t at = 0; at < Slot::kPlain; at += 64) __builtin_prefetch(later + at, 1);
  }

  /// Where the kernel finds them. [any]
  [[nodiscard]] const WireRing& at_device() const noexcept { return at_device_; }
  /// Where its courier does; no slots where it needs none. [any]
  [[nodiscard]] WireRing mail() const noexcept { return window_ == nullptr ? written_ : WireRing{}; }

 private:
  void open_window(Device device, std::size_t bytes) {
    const char* const value = std::getenv("RINGWAVE_RING_WINDOW");
    const std::string_view asked = value == nullptr ? "" : value;
    if (asked == "0") return;
    std::string why_none;
    window_ = ringwave::cuda::HostWindow::open(ringwave::cuda::CudaRuntime::of(device), bytes, why_none);
    if (window_ == nullptr && asked == "1")
      throw DeviceUnavailable("RINGWAVE_RING_WINDOW=1 asks for a window into the memory of " +
                              std::string(device.name()) + ", and there is none: " + why_none +
                              "; without it messages go through the host's memory");
  }
  std::unique_ptr<ringwave::cuda::HostWindow> window_;
  std::optional<SharedMemory> mail_;
  ringwave::cuda::DeviceArray<std::byte> carried_;
  WireRing written_;
  WireRing at_device_;
};

}  // namespace ringwave::ring::cuda
