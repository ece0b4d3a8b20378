// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/queue.hpp"

namespace ringwave {

/// Where the fresh copy of a buffer is.
enum class BufferState : unsigned char {
  uninitialized,  ///< nobody has written it
  host_only,      ///< written on the host; the device has never had a copy
  device_only,    ///< written on the device; the host has never had a copy
  synchronized,   ///< both copies are equal
  host_dirty,     ///< both sides have a copy, the host's is newer
  device_dirty,   ///< both sides have a copy, the device's is newer
};

/// The state's name as in the enumeration. [any]
[[nodiscard]] std::string_view to_string(BufferState state) noexcept;

/// How the host side of a buffer is allocated.
enum class HostMemory : unsigned char {
  pageable,
  pinned,  ///< the device copies it at full speed and can read it directly
};

/// The two copies of a buffer and which is fresh; Buffer<T> gives them a type.
class BufferStorage {
 public:
  BufferStorage(Device device, std::size_t bytes, HostMemory host_memory);
  ~BufferStorage();
  BufferStorage(BufferStorage&& other) noexcept;
  BufferStorage& operator=(BufferStorage&& other) noexcept;

  [[nodiscard]] const void* read_host(Queue& queue);
  [[nodiscard]] const void* read_device(Queue& queue);
  [[nodiscard]] void* write_host() noexcept;
  [[nodiscard]] void* write_device() noexcept;
  void mark_host_dirty();
  void mark_device_dirty();
  [[nodiscard]] BufferState state() const noexcept { return state_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] bool host_is_mapped() const noexcept {
    return host_memory_ == HostMemory::pinned && host_ != device_memory_;
  }

 private:
  void require_queue(const Queue& queue) const;

  Device device_;
  std::size_t bytes_;
  HostMemory host_memory_;
  void* host_ = nullptr;
  void* device_memory_ = nullptr;  // equals host_ where host and device memory are one
  BufferState state_ = BufferState::uninitialized;
};

/// One array with a copy on the host and one on a device, which knows where the fresh one is.
///
/// Reading a side first brings the fresh copy there, if it is not there already. Writing a side makes it the
/// fresh one. A pointer that was kept from before may be written through too: say so with mark_host_dirty()
/// or mark_device_dirty(). On the CPU both sides are the same memory and nothing is ever copied.
///
/// Not thread-safe: one thread at a time. It knows copies, not the tasks in your queues: synchronize a queue
/// before you overwrite or destroy what its work still reads.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a buffer's elements cross to the device as bytes");

 public:
  /// Allocates both sides for `size` elements, uninitialized. Throws OutOfMemory, or InvalidArgument for
  /// `auto` or more elements than bytes can be counted. [setup]
  Buffer(Device device, std::size_t size, HostMemory host_memory = HostMemory::pageable)
      : storage_(device, checked_bytes(size), host_memory) {}

  /// The host's copy, made fresh through `queue` (waits for the copy). Throws InvalidState when nobody has
  /// written the buffer. [setup]
  [[nodiscard]] std::span<const T> host(Queue& queue) {
    return {static_cast<const T*>(storage_.read_host(queue)), size()};
  }

  /// The device's copy, made fresh in `queue`'s order. Throws InvalidState when nobody has written it.
  /// [setup]
  [[nodiscard]] std::span<const T> device(Queue& queue) {
    return {static_cast<const T*>(storage_.read_device(queue)), size()};
  }

  /// The host's copy to overwrite as a whole; it becomes the fresh one. [any]
  [[nodiscard]] std::span<T> overwrite_host() noexcept {
    return {static_cast<T*>(storage_.write_host()), size()};
  }

  /// The device's copy to overwrite as a whole; it becomes the fresh one. [any]
  [[nodiscard]] std::span<T> overwrite_device() noexcept {
    return {static_cast<T*>(storage_.write_device()), size()};
  }

  /// The host's copy was written through an old pointer. Throws InvalidState where the device's copy is
  /// newer, which would be lost. [setup]
  void mark_host_dirty() { storage_.mark_host_dirty(); }

  /// The device's copy was written through an old pointer. Throws InvalidState where the host's is newer.
  /// [setup]
  void mark_device_dirty() { storage_.mark_device_dirty(); }

  /// Sets every element, on the host. [setup]
  void fill(const T& value) {
    for (T& element : overwrite_host()) element = value;
  }

  /// Takes over `values`, on the host. Throws InvalidArgument when the sizes differ. [setup]
  void copy_from(std::span<const T> values) {
    require_size(values.size());
    const auto to = overwrite_host();
    for (std::size_t i = 0; i < size(); ++i) to[i] = values[i];
  }

  /// Copies the fresh values out. Throws InvalidArgument when the sizes differ. [setup]
  void copy_to(Queue& queue, std::span<T> values) {
    require_size(values.size());
    const auto from = host(queue);
    for (std::size_t i = 0; i < size(); ++i) values[i] = from[i];
  }

  [[nodiscard]] BufferState state() const noexcept { return storage_.state(); }
  [[nodiscard]] std::size_t size() const noexcept { return storage_.bytes() / sizeof(T); }
  /// The device that has the other copy. [any]
  [[nodiscard]] Device home() const noexcept { return storage_.device(); }
  /// True where GPUs read the host's copy directly: it is pinned, for a GPU. [any]
  [[nodiscard]] bool host_is_mapped() const noexcept { return storage_.host_is_mapped(); }

 private:
  static std::size_t checked_bytes(std::size_t size) {
    if (size > (std::size_t{1} << 47) / sizeof(T))
      throw InvalidArgument("a buffer of " + std::to_string(size) +
                            " elements was asked for: more than 2^47 bytes");
    return size * sizeof(T);
  }

  void require_size(std::size_t size) const {
    if (size != this->size())
      throw InvalidArgument("a copy of " + std::to_string(size) +
                            " elements was asked for from or to a buffer of " + std::to_string(this->size()));
  }

  BufferStorage storage_;
};

}  // namespace ringwave
