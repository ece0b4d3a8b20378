// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ringwave/core/device.hpp"

namespace ringwave::ring {

/// What a sender meets when the queue is full.
enum class Backpressure : std::uint8_t {
  block,        ///< send() waits for room, until its time is over
  reject,       ///< `full` at once
  drop_oldest,  ///< the oldest message of the same band goes, the new one comes
  drop_newest,  ///< the new one goes: `dropped`
};

/// How a kernel on the CPU waits for messages.
enum class Wait : std::uint8_t {
  spin,      ///< one core is its own: answers in a fraction of a microsecond
  hybrid,    ///< spins for a while, then sleeps
  blocking,  ///< sleeps at once: costs nothing while nothing comes
};

/// What happens to a kernel that failed.
struct RestartPolicy {
  int most_restarts = 0;  ///< within `window`; 0: never
  std::chrono::milliseconds window{10'000};
};

/// A kernel to be.
struct KernelSpec {
  std::string name{};     ///< its own, in the runtime; empty: the handler's
  std::string handler{};  ///< as it was registered
  Device device{};        ///< `auto`: the first GPU on which the handler runs, else the CPU

  std::size_t inbox_capacity = 4096;    ///< messages of each band, a power of two from 16 to 1,048,576
  std::size_t outbox_capacity = 4096;   ///< messages to the host, the same
  std::size_t max_payload_bytes = 192;  ///< up to kMostPayloadBytes
  Backpressure backpressure = Backpressure::block;
  std::size_t duplicate_window = 0;  ///< ids remembered, 16 to 1024; 0: none
  /// No two threads of the host send to it at the same time, kernels elsewhere included; of two that do a
  /// message is lost. On a GPU send() then needs no atomic operation, which waits until the message before
  /// has left the CPU.
  bool one_sender = false;

  Wait wait = Wait::hybrid;                    ///< on the CPU
  int threads = 32;                            ///< of a block on a GPU, 32 to 416, a multiple of 32
  int blocks = 1;                              ///< on a GPU that handle each message together
  std::chrono::milliseconds handler_limit{0};  ///< a handler that takes longer has failed; 0: no limit
  RestartPolicy restart{};
  bool fails_over = true;  ///< begins anew on the CPU when its GPU is lost; false: it has failed then

  static constexpr std::size_t kLeastCapacity = 16;
  static constexpr std::size_t kMostCapacity = 1'048'576;
};

/// Blocks that a kernel may have on a device, so that a quarter of it is left to other work; 1 on the CPU.
/// [setup]
[[nodiscard]] int most_blocks(Device device);

/// Throws InvalidArgument, which names the field, what it was and what it may be. [setup]
void require_valid(const KernelSpec& spec);

[[nodiscard]] std::string_view to_string(Backpressure policy) noexcept;
[[nodiscard]] std::string_view to_string(Wait wait) noexcept;

}  // namespace ringwave::ring
