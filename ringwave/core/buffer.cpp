// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/buffer.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "ringwave/core/device_runtime.hpp"

namespace ringwave {
namespace {

constexpr std::align_val_t kHostAlignment{64};

/// A pointer of its own even for an empty buffer.
std::size_t at_least_one(std::size_t bytes) {
  return std::max<std::size_t>(bytes, 1);
}

bool device_is_newer(BufferState state) {
  return state == BufferState::device_only || state == BufferState::device_dirty;
}

bool host_is_newer(BufferState state) {
  return state == BufferState::host_only || state == BufferState::host_dirty;
}

}  // namespace

std::string_view to_string(BufferState state) noexcept {
  switch (state) {
    case BufferState::uninitialized:
      return "uninitialized";
    case BufferState::host_only:
      return "host_only";
    case BufferState::device_only:
      return "device_only";
    case BufferState::synchronized:
      return "synchronized";
    case BufferState::host_dirty:
      return "host_dirty";
    case BufferState::device_dirty:
      return "device_dirty";
  }
  return "unknown";
}

BufferStorage::BufferStorage(Device device, std::size_t bytes, HostMemory host_memory)
    : device_(device), bytes_(bytes), host_memory_(host_memory) {
  if (device.is_automatic())
    throw InvalidArgument(
        "a buffer was asked for on 'auto', which names no device; use Device::cpu() or Device::find()");
  DeviceRuntime& runtime = device.runtime();
  if (runtime.unified()) {
    host_ = device_memory_ = runtime.allocate(at_least_one(bytes));
    return;
  }
  device_memory_ = runtime.allocate(at_least_one(bytes));
  try {
    host_ = host_memory == HostMemory::pinned ? runtime.allocate_pinned(at_least_one(bytes))
                                              : ::operator new(at_least_one(bytes), kHostAlignment);
  } catch (const std::bad_alloc&) {
    runtime.release(device_memory_);
    throw OutOfMemory(
        std::to_string(bytes) +
        " bytes were asked for on the host side of a buffer, and the system has no room for them");
  } catch (...) {
    runtime.release(device_memory_);
    throw;
  }
}

BufferStorage::~BufferStorage() {
  if (device_memory_ == nullptr) return;
  DeviceRuntime& runtime = device_.runtime();
  runtime.release(device_memory_);
  if (host_ == device_memory_) return;
  if (host_memory_ == HostMemory::pinned) {
    runtime.release_pinned(host_);
  } else {
    ::operator delete(host_, kHostAlignment);
  }
}

BufferStorage::BufferStorage(BufferStorage&& other) noexcept
    : device_(other.device_),
      bytes_(std::exchange(other.bytes_, 0)),
      host_memory_(other.host_memory_),
      host_(std::exchange(other.host_, nullptr)),
      device_memory_(std::exchange(other.device_memory_, nullptr)),
      state_(std::exchange(other.state_, BufferState::uninitialized)) {}

BufferStorage& BufferStorage::operator=(BufferStorage&& other) noexcept {
  BufferStorage taken(std::move(other));
  std::swap(device_, taken.device_);
  std::swap(bytes_, taken.bytes_);
  std::swap(host_memory_, taken.host_memory_);
  std::swap(host_, taken.host_);
  std::swap(device_memory_, taken.device_memory_);
  std::swap(state_, taken.state_);
  return *this;
}

const void* BufferStorage::read_host(Queue& queue) {
  require_queue(queue);
  if (state_ == BufferState::uninitialized)
    throw InvalidState(
        "a buffer was read on the host, but its state is uninitialized: nobody has written it");
  if (device_is_newer(state_)) {
    if (host_ != device_memory_) queue.copy(host_, device_memory_, bytes_);
    queue.synchronize();  // also where nothing is copied: the tasks that write it may still be running
    state_ = BufferState::synchronized;
  }
  return host_;
}

const void* BufferStorage::read_device(Queue& queue) {
  require_queue(queue);
  if (state_ == BufferState::uninitialized)
    throw InvalidState(
        "a buffer was read on the device, but its state is uninitialized: nobody has written it");
  if (host_is_newer(state_)) {
    if (host_ != device_memory_) queue.copy(device_memory_, host_, bytes_);
    state_ = BufferState::synchronized;
  }
  return device_memory_;
}

void* BufferStorage::write_host() noexcept {
  const bool alone = state_ == BufferState::uninitialized || state_ == BufferState::host_only;
  state_ = alone ? BufferState::host_only : BufferState::host_dirty;
  return host_;
}

void* BufferStorage::write_device() noexcept {
  const bool alone = state_ == BufferState::uninitialized || state_ == BufferState::device_only;
  state_ = alone ? BufferState::device_only : BufferState::device_dirty;
  return device_memory_;
}

void BufferStorage::mark_host_dirty() {
  if (device_is_newer(state_))
    throw InvalidState("mark_host_dirty() on a buffer that is " + std::string(to_string(state_)) +
                       ": the newer device copy would be lost; read host() first");
  (void)write_host();
}

void BufferStorage::mark_device_dirty() {
  if (host_is_newer(state_))
    throw InvalidState("mark_device_dirty() on a buffer that is " + std::string(to_string(state_)) +
                       ": the newer host copy would be lost; read device() first");
  (void)write_device();
}

void BufferStorage::require_queue(const Queue& queue) const {
  if (queue.device() != device_)
    throw InvalidArgument("a buffer on " + device_.name() + " was read through a queue on " +
                          queue.device().name());
}

}  // namespace ringwave
