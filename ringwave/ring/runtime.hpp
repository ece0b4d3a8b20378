// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/ring/kernel.hpp"
#include "ringwave/ring/kernel_scope.hpp"
#include "ringwave/ring/kernel_spec.hpp"
#include "ringwave/ring/parcel.hpp"

namespace ringwave::ring {

/// The kernels of a program, and who looks after them.
///
///   ring::Runtime runtime;
///   const ring::KernelScope echo(runtime.create({.handler = "echo"}));
///   ring::Letter reply;
///   echo->request(ring::Outgoing::of(0, 42), reply);
///
/// A thread of its own looks for kernels that failed or whose handler does not return, and restarts them by
/// their policy. Another one, where kernels live on a GPU and elsewhere, brings what they send from the GPU.
/// Destruction terminates what is left; handles that live on answer `not running`.
class Runtime {
 public:
  struct Spec {
    Device device{};              ///< where kernels live that do not say; `auto`: the first GPU, or the CPU
    std::size_t requests = 1024;  ///< unanswered at a time, of all kernels together, 1 to 65,535
    std::size_t max_reply_bytes = 4096;  ///< up to kMostPayloadBytes
    /// Kernels on one GPU send to one another by the host, as those on several do: to measure that.
    bool sends_by_host = false;
  };

  /// Takes the memory for all replies. Throws InvalidArgument, DeviceUnavailable, OutOfMemory. [setup]
  explicit Runtime(Spec spec);
  Runtime() : Runtime(Spec{}) {}
  ~Runtime();
  Runtime(const Runtime&) = delete;  // kernels know it
  Runtime& operator=(const Runtime&) = delete;

  /// A kernel with all its memory, not yet launched. `state` is the handler that it begins with; empty: as
  /// the handler's default. Throws InvalidArgument for a spec out of range, a name that is taken or a handler
  /// that is not there, DeviceUnavailable, OutOfMemory; InvalidState after a fork. [setup]
  Kernel create(KernelSpec spec, std::span<const std::byte> state = {});

  /// The same, beginning with this handler. [setup]
  template <class Handler>
  Kernel create(KernelSpec spec, const Handler& state) {
    return create(std::move(spec), std::as_bytes(std::span(&state, 1)));
  }

  /// A buffer that messages refer to instead of carrying it: the host's copy, of up to 4 GiB. A kernel on a
  /// GPU sees it in place where it is pinned, for a GPU. Throws InvalidState where the device's copy is
  /// newer, and InvalidArgument for a null pointer. [setup]
  template <class T>
  [[nodiscard]] Parcel wrap(const std::shared_ptr<Buffer<T>>& buffer) {
    if (buffer == nullptr)
      throw InvalidArgument("no buffer was to be wrapped for ring kernels; make one first");
    if (buffer->state() == BufferState::device_only || buffer->state() == BufferState::device_dirty)
      throw InvalidState("a buffer was to be wrapped for ring kernels while it is " +
                         std::string(to_string(buffer->state())) + "; read host() first");
    return wrap(buffer, std::as_bytes(buffer->overwrite_host()), buffer->host_is_mapped());
  }
  /// The same of any memory that `owner` keeps; it begins at a multiple of 16. Throws InvalidArgument.
  /// [setup]
  [[nodiscard]] Parcel wrap(std::shared_ptr<const void> owner, std::span<const std::byte> bytes) {
    return wrap(std::move(owner), bytes, false);
  }

  /// The kernel of that name. Throws InvalidArgument, with the names there are. [setup]
  [[nodiscard]] Kernel find(std::string_view name) const;
  [[nodiscard]] std::vector<Kernel> kernels() const;
  /// Where kernels live that do not say; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept;

  /// Terminates all; false where a handler did not return in time. [setup]
  bool shut_down(Kernel::Duration timeout = std::chrono::seconds{10}) noexcept;

 private:
  struct Inside;

  [[nodiscard]] Parcel wrap(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                            bool is_mapped);

  std::shared_ptr<Inside> inside_;
};

}  // namespace ringwave::ring
