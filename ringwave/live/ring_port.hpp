// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ringwave/live/block_port.hpp"
#include "ringwave/ring/runtime.hpp"

namespace ringwave::live {

/// Blocks by message: a ring kernel of its own, in a runtime of its own. A handler for it knows messages of
/// type 0, a block whose frames are the argument, and answers with as many samples.
class RingPort final : public BlockPort {
 public:
  struct Spec {
    std::string handler{};
    Device device{};
    int channels = 1;
    int max_block_frames = 128;
    std::chrono::nanoseconds deadline{0};  ///< of one block
    int threads = 32;                      ///< on a GPU
    std::size_t max_parameter_bytes = 0;   ///< of messages that are no blocks
    std::uint32_t reset_type = 0;          ///< of the message that forgets the past
  };

  /// Makes the kernel, begins with `state`, and waits until it is active. Throws what Runtime does. [setup]
  RingPort(Spec spec, std::span<const std::byte> state);

  [[nodiscard]] std::span<float> input() noexcept override { return input_; }
  /// Sends the block and looks for the answer until the deadline, without sleeping. [audio]
  Status process(BlockView<float> out) noexcept override;
  Status reset() noexcept override;

  /// Sends what is no block, in the order of the blocks; does not wait. [audio]
  RW_REALTIME Status tell(std::uint32_t type, std::span<const std::byte> payload) noexcept;
  /// The same, and waits for the answer. Throws TimedOut, InvalidState. [setup]
  void ask(std::uint32_t type, std::uint32_t argument, std::span<const std::byte> payload);

  /// Another kernel in place of this one, which is ended, beginning with `state`. [setup]
  void begin_again(std::span<const std::byte> state);

  [[nodiscard]] const ring::Kernel& kernel() const noexcept { return kernel_; }

 private:
  [[nodiscard]] ring::KernelSpec kernel_spec() const;

  Spec spec_;
  ring::Runtime runtime_;
  ring::Kernel kernel_;
  ring::Letter reply_;
  std::vector<float> input_;
};

/// What audio code says of a message's fate. [any]
[[nodiscard]] Status status_of(ring::Delivery delivery) noexcept;

}  // namespace ringwave::live
