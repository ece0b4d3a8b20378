// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/device_pool.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ringwave/core/device_runtime.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

constexpr std::size_t kSmallestClass = 256;

/// The class that `bytes` belongs to: a quarter step of a power of two.
std::size_t size_class(std::size_t bytes) {
  if (bytes <= kSmallestClass) return kSmallestClass;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2)
    throw OutOfMemory(std::to_string(bytes) + " bytes of device memory were asked for; no device has that");
  const std::size_t step = std::bit_floor(bytes - 1) / 4;
  return (bytes + step - 1) / step * step;
}

std::size_t checked_budget(Device device, std::size_t asked) {
  if (device.is_automatic())
    throw InvalidArgument(
        "a pool was asked for on 'auto', which names no device; use Device::cpu() or Device::find()");
  return asked != 0 ? asked : static_cast<std::size_t>(device.memory().free_bytes / 4 * 3);
}

}  // namespace

/// The free blocks and the counts, under one lock. Locking is fine here: every caller is [setup].
class DevicePool::State {
 public:
  State(Device device, std::size_t budget) : device_(device), budget_bytes_(budget) {
    statistics_.budget_bytes = budget;
  }

  ~State() {
    subscriptions_.clear();  // first: another thread's report may be trimming
    for (auto& [bytes, blocks] : free_)
      for (FreeBlock& block : blocks) {
        wait_quietly(block.returned);
        device_.runtime().release(block.data);
      }
  }

  void* allocate(Queue& queue, std::size_t bytes) {
    if (queue.device() != device_)
      throw InvalidArgument("memory on " + device_.name() + " was asked for in the order of a queue on " +
                            queue.device().name());
    const std::scoped_lock lock(mutex_);
    void* data = take_free(queue, bytes);
    if (data != nullptr) {
      ++statistics_.hits;
    } else {
      make_room(bytes);
      data = allocate_fresh(bytes);
      ++statistics_.misses;
      statistics_.held_bytes += bytes;
    }
    statistics_.in_use_bytes += bytes;
    statistics_.high_water_bytes = std::max(statistics_.high_water_bytes, statistics_.in_use_bytes);
    return data;
  }

  void give_back(Queue& queue, void* data, std::size_t bytes) {
    Event returned(queue);
    queue.record(returned);
    const std::scoped_lock lock(mutex_);
    free_[bytes].push_back({data, queue.identity(), std::move(returned)});
    statistics_.in_use_bytes -= bytes;
  }

  /// Tells the subscribers, who may use the pool: never under its lock. Again where another thread has
  /// changed the use meanwhile, so that the last word is the true one.
  void report() {
    std::size_t told = 0;
    do {
      told = in_use();
      (void)pressure_.report(told, budget_bytes_);
    } while (told != in_use());
  }

  /// For a block whose return cannot be recorded: the device is lost, a capture is open, or the host has no
  /// memory. What was submitted before may still use it.
  void forget(Queue& queue, void* data, std::size_t bytes) noexcept {
    try {
      queue.synchronize();
    } catch (const Error&) {
      // A lost device: its memory is gone anyway.
    }
    const std::scoped_lock lock(mutex_);
    device_.runtime().release(data);
    statistics_.in_use_bytes -= bytes;
    statistics_.held_bytes -= bytes;
  }

  std::size_t trim() {
    const std::scoped_lock lock(mutex_);
    return trim_locked();
  }

  void listen_to(MemoryPressure& pressure) {
    auto subscription = pressure.subscribe([this](PressureLevel level) {
      if (level != PressureLevel::normal) (void)trim();
    });
    const std::scoped_lock lock(mutex_);
    subscriptions_.push_back(std::move(subscription));
  }

  MemoryPressure& pressure() noexcept { return pressure_; }

  Statistics statistics() const {
    const std::scoped_lock lock(mutex_);
    return statistics_;
  }

 private:
  struct FreeBlock {
    void* data;
    const void* queue;  // its identity, only compared: it may be gone
    Event returned;
  };

  void* take_free(const Queue& queue, std::size_t bytes) {
    auto& blocks = free_[bytes];
    const auto fits = [&](const FreeBlock& block) {
      return block.queue == queue.identity() || block.returned.done();
    };
    const auto found = std::find_if(blocks.rbegin(), blocks.rend(), fits);  // the youngest is the warmest
    if (found == blocks.rend()) return nullptr;
    void* data = found->data;
    blocks.erase(std::next(found).base());
    return data;
  }

  void make_room(std::size_t bytes) {
    const bool hopeless = statistics_.in_use_bytes + bytes > statistics_.budget_bytes;
    if (!hopeless && statistics_.held_bytes + bytes > statistics_.budget_bytes) (void)trim_locked();
    if (statistics_.held_bytes + bytes > statistics_.budget_bytes)
      throw OutOfMemory(std::to_string(bytes) + " bytes were asked for from the pool on " + device_.name() +
                        ", which holds " + std::to_string(statistics_.held_bytes) + " of its budget of " +
                        std::to_string(statistics_.budget_bytes) +
                        "; give blocks back, or raise Spec::budget_bytes");
  }

  void* allocate_fresh(std::size_t bytes) {
    try {
      return device_.runtime().allocate(bytes);
    } catch (const OutOfMemory&) {
      if (trim_locked() == 0) throw;
      return device_.runtime().allocate(bytes);
    }
  }

  std::size_t trim_locked() {
    std::size_t trimmed = 0;
    for (auto& [bytes, blocks] : free_)
      trimmed += bytes * std::erase_if(blocks, [&](const FreeBlock& block) {
                   if (!block.returned.done()) return false;
                   device_.runtime().release(block.data);
                   return true;
                 });
    statistics_.held_bytes -= trimmed;
    return trimmed;
  }

  static void wait_quietly(const Event& event) noexcept {
    try {
      event.wait();
    } catch (const DeviceLost&) {
      // Its memory went with it; releasing it is harmless.
    }
  }

  [[nodiscard]] std::size_t in_use() const {
    const std::scoped_lock lock(mutex_);
    return statistics_.in_use_bytes;
  }

  Device device_;
  const std::size_t budget_bytes_;
  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<FreeBlock>> free_;
  Statistics statistics_;
  MemoryPressure pressure_;
  std::vector<MemoryPressure::Subscription> subscriptions_;
};

DevicePool::Block::~Block() {
  if (data_ != nullptr) pool_->give_back(*queue_, data_, bytes_);
}

DevicePool::Block::Block(Block&& other) noexcept
    : pool_(other.pool_),
      queue_(other.queue_),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

DevicePool::Block& DevicePool::Block::operator=(Block&& other) noexcept {
  Block taken(std::move(other));
  std::swap(pool_, taken.pool_);
  std::swap(queue_, taken.queue_);
  std::swap(data_, taken.data_);
  std::swap(bytes_, taken.bytes_);
  return *this;
}

DevicePool::DevicePool(Device device, Spec spec)
    : state_(std::make_unique<State>(device, checked_budget(device, spec.budget_bytes))) {}

DevicePool::~DevicePool() = default;

DevicePool::Block DevicePool::allocate(Queue& queue, std::size_t bytes) {
  Block block;
  block.bytes_ = size_class(bytes);
  block.data_ = state_->allocate(queue, block.bytes_);
  block.pool_ = this;
  block.queue_ = &queue;
  state_->report();
  return block;
}

void DevicePool::reserve(Queue& queue, std::size_t bytes, std::size_t blocks) {
  std::vector<Block> taken;
  taken.reserve(blocks);
  for (std::size_t i = 0; i < blocks; ++i) taken.push_back(allocate(queue, bytes));
}

std::size_t DevicePool::trim() {
  return state_->trim();
}

void DevicePool::listen_to(MemoryPressure& pressure) {
  state_->listen_to(pressure);
}

MemoryPressure& DevicePool::pressure() noexcept {
  return state_->pressure();
}

DevicePool::Statistics DevicePool::statistics() const {
  return state_->statistics();
}

void DevicePool::give_back(Queue& queue, void* data, std::size_t bytes) noexcept {
  try {
    state_->give_back(queue, data, bytes);
  } catch (...) {
    state_->forget(queue, data, bytes);
  }
  state_->report();
}

}  // namespace ringwave
