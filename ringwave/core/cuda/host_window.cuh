// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace ringwave::cuda {

class CudaRuntime;

/// Memory of a GPU, zeroed, that lies in the host's address space as well: what the host stores there is in
/// the device's own memory, and nobody on the device has to look over the bus for it.
///
/// The host's side is not cached. Stores are gathered and sent as they come: one of 64 bytes that must arrive
/// as a whole is a MOVDIR64B, and what must come after others stands behind a store fence. A load takes a
/// microsecond.
///
/// CUDA offers no such mapping for a GPU on PCIe; the kernel driver does, as it does for graphics, to whoever
/// holds the memory. Where any of that is refused, or the CPU has no MOVDIR64B, there is no window, and
/// nothing else has changed.
class HostWindow {
 public:
  /// Of that device, the current one. Null where there can be none; then `why_none` says so in one sentence.
  /// Throws DeviceLost. [setup]
  [[nodiscard]] static std::unique_ptr<HostWindow> open(const CudaRuntime& device, std::size_t bytes,
                                                        std::string& why_none);

  ~HostWindow();
  HostWindow(const HostWindow&) = delete;  // two sides know its addresses
  HostWindow& operator=(const HostWindow&) = delete;

  /// Where the host sees it. [any]
  [[nodiscard]] std::byte* host() const noexcept { return host_; }
  /// Where the device sees it. [any]
  [[nodiscard]] std::byte* device() const noexcept { return device_; }
  /// At least as many as were asked for. [any]
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  struct Pieces;

  explicit HostWindow(Pieces* pieces) noexcept;
  static void let_go(Pieces* pieces) noexcept;

  Pieces* pieces_;  // they go when no kernel is resident any more
  std::byte* host_;
  std::byte* device_;
  std::size_t bytes_;
};

}  // namespace ringwave::cuda
