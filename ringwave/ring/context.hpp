// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/context_port.hpp"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/ring/payload_view.hpp"
#include "ringwave/ring/ring_clock.hpp"
#if defined(__CUDACC__)
#include "ringwave/ring/cuda/device_port.cuh"
#endif

namespace ringwave::ring {

/// What a handler has besides its message: the threads it runs on, and the ways to answer.
///
/// On a GPU all lanes() of a kernel call on_message() together, and on the CPU one. What sends is called by
/// all of them, with the same values; memory that one lane wrote is the others' after sync().
///
/// The lanes of a kernel are those of its blocks(), one after the other. Lanes of one block wait for each
/// other in some ten nanoseconds, those of several in half a microsecond and more: who can, gives each block
/// a part of the work of its own.
class Context {
 public:
#if defined(__CUDACC__)
  RW_HOST_DEVICE Context(ContextPort* port, DevicePort* device) : port_(port), device_(device) {}
#endif
  explicit Context(ContextPort* port) : port_(port) {}

  /// Number of this lane, and how many there are. [ring]
  [[nodiscard]] RW_HOST_DEVICE int lane() const {
#if defined(__CUDA_ARCH__)
    return device_->lane();
#else
    return 0;
#endif
  }
  [[nodiscard]] RW_HOST_DEVICE int lanes() const {
#if defined(__CUDA_ARCH__)
    return device_->lanes();
#else
    return 1;
#endif
  }
  /// Waits for all lanes; then each sees what the others wrote. [ring]
  RW_HOST_DEVICE void sync() const {
#if defined(__CUDA_ARCH__)
    device_->sync();
#endif
  }

  /// What the first lane has, which all lanes call it for together: a number, a time, a struct of up to eight
  /// bytes. Waits for that lane, not for the others; of what was written before it shows nothing. [ring]
  template <class T>
  [[nodiscard]] RW_HOST_DEVICE T from_first(const T& mine) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
#if defined(__CUDA_ARCH__)
    std::uint64_t word = 0;
    memcpy(&word, &mine, sizeof mine);
    word = device_->from_first(word);
    T first;
    memcpy(&first, &word, sizeof first);
    return first;
#else
    return mine;
#endif
  }

  /// Number of this lane's block, and how many there are. [ring]
  [[nodiscard]] RW_HOST_DEVICE int block() const {
#if defined(__CUDA_ARCH__)
    return device_->block();
#else
    return 0;
#endif
  }
  [[nodiscard]] RW_HOST_DEVICE int blocks() const {
#if defined(__CUDA_ARCH__)
    return device_->blocks();
#else
    return 1;
#endif
  }
  /// The same as lane(), lanes() and sync(), of this block alone. [ring]
  [[nodiscard]] RW_HOST_DEVICE int block_lane() const {
#if defined(__CUDA_ARCH__)
    return device_->block_lane();
#else
    return 0;
#endif
  }
  [[nodiscard]] RW_HOST_DEVICE int block_lanes() const {
#if defined(__CUDA_ARCH__)
    return device_->block_lanes();
#else
    return 1;
#endif
  }
  RW_HOST_DEVICE void sync_block() const {
#if defined(__CUDA_ARCH__)
    device_->sync_block();
#endif
  }

  /// Waits for all lanes of this block; true where it is so for any of them. [ring]
  [[nodiscard]] RW_HOST_DEVICE bool any_in_block(bool mine) const {
#if defined(__CUDA_ARCH__)
    return device_->any_in_block(mine);
#else
    return mine;
#endif
  }

  /// Answers the message, if somebody waits for an answer. The second answer is a `duplicate`. [ring]
  RW_HOST_DEVICE Delivery reply(const void* bytes, std::size_t size, std::uint32_t type = 0) {
#if defined(__CUDA_ARCH__)
    return device_->reply(bytes, size, type);
#else
    return port_->reply(bytes, size, type);
#endif
  }
  template <class T>
  RW_HOST_DEVICE Delivery reply(const T& value) {
    return reply(&value, sizeof(T));
  }

  /// Room for an answer of `count` elements, to be written in place by all lanes and sent by send_reply();
  /// empty where nobody waits or it would be too large. [ring]
  template <class T>
  [[nodiscard]] RW_HOST_DEVICE PayloadView<T> reply_view(std::size_t count) {
#if defined(__CUDA_ARCH__)
    std::byte* const space = device_->reply_space(count * sizeof(T));
    bool* const overrun = device_->overrun();
#else
    std::byte* const space = port_->reply_space(count * sizeof(T));
    bool* const overrun = port_->overrun();
#endif
    return {reinterpret_cast<T*>(space), space != nullptr ? count : 0, overrun};
  }
  /// Sends what was written into the last reply_view(). [ring]
  RW_HOST_DEVICE Delivery send_reply() {
#if defined(__CUDA_ARCH__)
    return device_->send_reply();
#else
    return port_->send_reply();
#endif
  }

  /// Sends a message to the host, which receive()s it. [ring]
  RW_HOST_DEVICE Delivery emit(std::uint32_t type, const void* bytes, std::size_t size) {
#if defined(__CUDA_ARCH__)
    return device_->emit(type, bytes, size);
#else
    return port_->emit(type, bytes, size);
#endif
  }

  /// Sends a message to another kernel. [ring]
  RW_HOST_DEVICE Delivery send(std::uint16_t target, std::uint32_t type, const void* bytes, std::size_t size,
                               std::uint8_t priority = kNormal) {
#if defined(__CUDA_ARCH__)
    return device_->send(target, type, bytes, size, priority, false);
#else
    return port_->send(target, type, bytes, size, priority, false);
#endif
  }

  /// Sends a message to another kernel that answers in this one's place: the request goes along. [ring]
  RW_HOST_DEVICE Delivery forward(std::uint16_t target, std::uint32_t type, const void* bytes,
                                  std::size_t size) {
#if defined(__CUDA_ARCH__)
    return device_->send(target, type, bytes, size, device_->priority(), true);
#else
    return port_->send(target, type, bytes, size, port_->priority(), true);
#endif
  }

  /// Kernels that this one was connected to, in the order of the graph: their numbers for send(). [ring]
  [[nodiscard]] RW_HOST_DEVICE int targets() const {
#if defined(__CUDA_ARCH__)
    return device_->targets();
#else
    return port_->targets();
#endif
  }
  /// The number of one of them; 0, which is no kernel, beyond the last. [ring]
  [[nodiscard]] RW_HOST_DEVICE std::uint16_t target(int index) const {
#if defined(__CUDA_ARCH__)
    return device_->target(index);
#else
    return port_->target(index);
#endif
  }

  /// The kernel fails with this number once the handler returns; the message is answered with `failed`. On
  /// the CPU an exception does the same. [ring]
  RW_HOST_DEVICE void fail(std::uint32_t code) {
#if defined(__CUDA_ARCH__)
    device_->fail(code);
#else
    port_->fail(code);
#endif
  }

  /// The message's type means nothing here: it is answered with `unknown_type` and counted as an error; the
  /// kernel goes on. [ring]
  RW_HOST_DEVICE void refuse() {
#if defined(__CUDA_ARCH__)
    device_->refuse();
#else
    port_->refuse();
#endif
  }

  /// True when the kernel is to end: a handler that takes long should return. [ring]
  [[nodiscard]] RW_HOST_DEVICE bool stopping() const {
#if defined(__CUDA_ARCH__)
    return device_->stopping();
#else
    return port_->stopping();
#endif
  }

  /// ring_now_ns(), on either side. [ring]
  [[nodiscard]] RW_HOST_DEVICE std::int64_t now_ns() const {
#if defined(__CUDA_ARCH__)
    return device_->now_ns();
#else
    return ring_now_ns();
#endif
  }

 private:
  ContextPort* port_;
#if defined(__CUDACC__)
  DevicePort* device_ = nullptr;
#endif
};

}  // namespace ringwave::ring
