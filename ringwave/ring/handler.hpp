// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"
#if defined(__CUDACC__)
#include "ringwave/ring/cuda/resident_kernel.cuh"
#endif

namespace ringwave::ring {

struct ResidentArguments;

/// How a handler is started on a GPU; made where nvcc compiles it. The functions return a cudaError_t.
struct CudaHandler {
  /// Loads the kernel into the current device, so that nothing is left to load when another one is resident.
  int (*load)() = nullptr;
  /// True where the current device can have so many blocks as one cluster.
  bool (*fits_cluster)(std::uint32_t blocks, int threads) = nullptr;
  /// Starts it in a stream of the current device.
  int (*launch)(const ResidentArguments& arguments, int threads, void* stream) = nullptr;
};

/// A handler under its name, with all that a host needs to run it.
struct HandlerEntry {
  std::string name;
  std::size_t state_bytes = 0;
  std::size_t state_alignment = 1;
  /// The handler that a kernel begins with, where it is given none.
  std::span<const std::byte> (*initial)() = nullptr;
  void (*on_message)(void* state, Context& context, const Message& message) = nullptr;
  CudaHandler cuda{};  ///< empty where it was compiled without nvcc
};

/// A handler for Handlers::add(): a struct with
///
///   RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message);
///
/// The struct is the kernel's state: it lives as long as the kernel, is copied to the device as bytes and
/// begins anew, as Handler{} or as it was given to Runtime::create(), after a restart. Compiled by nvcc it
/// runs on both hosts, compiled by another compiler on the CPU. [setup]
template <class Handler>
[[nodiscard]] HandlerEntry handler(const std::string& name) {
  static_assert(std::is_trivially_copyable_v<Handler>, "a handler crosses to the device as bytes");
  static_assert(std::is_trivially_destructible_v<Handler>, "nobody would call its destructor on a device");
  HandlerEntry entry{
      .name = name,
      .state_bytes = sizeof(Handler),
      .state_alignment = alignof(Handler),
      .initial =
          [] {
            // Made when it is wanted: a state of megabytes would be as much of the program.
            static const Handler* const initial = new const Handler{};
            return std::as_bytes(std::span(initial, 1));
          },
      .on_message =
          [](void* state, Context& context, const Message& message) {
            static_cast<Handler*>(state)->on_message(context, message);
          },
  };
#if defined(__CUDACC__)
  entry.cuda = {.load = cuda::load_resident<Handler>,
                .fits_cluster = cuda::fits_cluster<Handler>,
                .launch = cuda::launch_resident<Handler>};
#endif
  return entry;
}

}  // namespace ringwave::ring
