// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ringwave/core/device.hpp"
#include "ringwave/core/memory_pressure.hpp"
#include "ringwave/core/queue.hpp"

namespace ringwave {

/// Device memory that is handed out and taken back in a queue's order, without asking the driver each time.
///
/// A block that a queue has given back is at once good for the same queue, whose order keeps the old and the
/// new user apart, and for another queue when the first has reached the point of return. Sizes are rounded up
/// to classes, four to each power of two from 256 bytes, so that a block fits again: at most a quarter is
/// wasted.
///
/// Thread-safe; a queue is used by one thread at a time. Blocks must not outlive the pool.
class DevicePool {
 public:
  struct Spec {
    std::size_t budget_bytes =
        0;  ///< bytes the pool may hold, free and in use; 0: three quarters of what is free now
  };

  /// Memory on loan; goes back to the pool, in its queue's order, when it is destroyed. The queue must still
  /// live.
  class Block {
   public:
    Block() = default;
    ~Block();
    Block(Block&& other) noexcept;
    Block& operator=(Block&& other) noexcept;

    [[nodiscard]] void* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }  ///< of its size class
    explicit operator bool() const noexcept { return data_ != nullptr; }

   private:
    friend class DevicePool;
    DevicePool* pool_ = nullptr;
    Queue* queue_ = nullptr;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
  };

  struct Statistics {
    std::uint64_t hits = 0;    ///< allocations that a block of the pool served
    std::uint64_t misses = 0;  ///< allocations that went to the driver
    std::size_t in_use_bytes = 0;
    std::size_t held_bytes = 0;        ///< in use and free
    std::size_t high_water_bytes = 0;  ///< the most that was ever in use
    std::size_t budget_bytes = 0;
  };

  /// Takes no memory yet. Throws InvalidArgument for `auto`. [setup]
  DevicePool(Device device, Spec spec);
  explicit DevicePool(Device device) : DevicePool(device, Spec{}) {}
  ~DevicePool();
  DevicePool(const DevicePool&) = delete;  // blocks point back at it
  DevicePool& operator=(const DevicePool&) = delete;

  /// At least `bytes`, for work in `queue`. Throws OutOfMemory when the budget, or the device after a trim(),
  /// has no room for it; then nothing has changed. [setup]
  [[nodiscard]] Block allocate(Queue& queue, std::size_t bytes);

  /// Takes and gives back a block, so that later allocations of that size are hits. [setup]
  void reserve(Queue& queue, std::size_t bytes, std::size_t blocks = 1);

  /// Gives free blocks whose queues are through with them back to the driver; returns how many bytes. [setup]
  std::size_t trim();

  /// Trims by itself when this watch reaches `warning`. [setup]
  void listen_to(MemoryPressure& pressure);

  /// How full the budget is; subscribe to be told. [any]
  [[nodiscard]] MemoryPressure& pressure() noexcept;

  [[nodiscard]] Statistics statistics() const;

 private:
  class State;
  void give_back(Queue& queue, void* data, std::size_t bytes) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace ringwave
