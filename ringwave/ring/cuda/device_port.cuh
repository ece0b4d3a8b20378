// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// What Context asks of a host on a GPU; Context has the words. All workers of the block call it together.
/// [ring]
class DevicePort {
 public:
  __device__ DevicePort(cuda::ResidentBlock& block, int workers)
      : block_(block), arguments_(block.arguments), workers_(workers) {}

  [[nodiscard]] __device__ int lane() const { return static_cast<int>(threadIdx.x) - 32 * cuda::kCarriers; }
  [[nodiscard]] __device__ int lanes() const { return workers_; }
  __device__ void sync() const {
    if (workers_ == 32)
      __syncwarp();
    else
      asm volatile("bar.sync 1, %0;" ::"r"(workers_) : "memory");
  }

  __device__ Delivery reply(const void* bytes, std::size_t size, std::uint32_t type) {
    if (!head().is_request()) return Delivery::unknown_target;
    if (size > arguments_.max_reply) return Delivery::too_large;
    if (block_.answered != 0) return Delivery::duplicate;
    answer(type, bytes, static_cast<std::uint32_t>(size), 0);
    return Delivery::ok;
  }

  [[nodiscard]] __device__ std::byte* reply_space(std::size_t size) {
    if (!head().is_request() || size > arguments_.max_reply || block_.answered != 0) return nullptr;
    sync();
    if (lane() == 0) block_.reply_bytes = static_cast<std::uint32_t>(size);
    sync();
    return reply_slot() + Slot::kPayload;
  }

  __device__ Delivery send_reply() {
    if (!head().is_request()) return Delivery::unknown_target;
    if (block_.answered != 0) return Delivery::duplicate;
    sync();  // all lanes have written
    answer(head().type(), reply_slot() + Slot::kPayload, block_.reply_bytes, 0);
    return Delivery::ok;
  }

  __device__ Delivery emit(std::uint32_t type, const void* bytes, std::size_t size) {
    if (size > arguments_.max_payload) return Delivery::too_large;
    if (lane() == 0) block_.delivery = static_cast<std::uint32_t>(room_in_outbox());
    sync();
    const auto delivery = static_cast<Delivery>(block_.delivery);
    if (delivery == Delivery::ok) {
      const std::uint64_t tail = block_.outbox_tail;
      MessageHead head = head_for(type, static_cast<std::uint32_t>(size));
      head.correlation = message_->correlation();
      write(arguments_.outbox.slot(tail), arguments_.outbox.epoch(tail), head, bytes);
    }
    sync();
    if (lane() == 0) {
      if (delivery == Delivery::ok)
        ++block_.outbox_tail;
      else
        ++block_.counts.dropped;
    }
    sync();
    return delivery;
  }

  __device__ Delivery send(std::uint16_t target, std::uint32_t type, const void* bytes, std::size_t size,
                           std::uint8_t priority, bool with_request) {
    const bool hands_over = with_request && head().is_request();
    if (hands_over && block_.answered != 0) return Delivery::duplicate;
    sync();
    if (lane() == 0)
      block_.delivery =
          static_cast<std::uint32_t>(claim(target, static_cast<std::uint32_t>(size), band_of(priority)));
    sync();
    const auto delivery = static_cast<Delivery>(block_.delivery);
    if (delivery == Delivery::ok) {
      MessageHead head = head_for(type, static_cast<std::uint32_t>(size));
      head.id = std::uint64_t{1} << 63U | std::uint64_t{arguments_.number} << 48U |
                (static_cast<std::uint64_t>(cuda::device_now_ns()) & 0xffff'ffff'ffffU);
      head.priority = priority;
      head.sent_ns = now_ns();
      head.deadline_ns = message_->head().deadline_ns;
      if (hands_over) {
        head.correlation = message_->correlation();
        head.flags = MessageHead::kRequest;
      }
      write(block_.target_slot, block_.target_epoch, head, bytes);
    }
    sync();
    if (lane() == 0 && hands_over && delivery == Delivery::ok) block_.answered = 1;
    sync();
    return delivery;
  }

  [[nodiscard]] __device__ int targets() const { return arguments_.targets; }
  [[nodiscard]] __device__ std::uint16_t target(int index) const {
    return index >= 0 && index < targets() ? arguments_.target[index] : std::uint16_t{0};
  }

  __device__ void fail(std::uint32_t code) {
    block_.failure = ControlBlock::by_handler;
    block_.code = code;
  }
  __device__ void refuse() { block_.refused = 1; }
  [[nodiscard]] __device__ bool stopping() const {
    return block_.command >= static_cast<std::uint32_t>(Command::end);
  }
  [[nodiscard]] __device__ std::uint8_t priority() const { return message_->priority(); }
  [[nodiscard]] __device__ bool* overrun() const { return &block_.overrun; }
  [[nodiscard]] __device__ std::int64_t now_ns() const {
    return cuda::device_now_ns() + block_.clock_offset_ns;
  }

  /// The message in hand. [ring]
  __device__ void take(const Message& message) { message_ = &message; }
  [[nodiscard]] __device__ const Message& head() const { return *message_; }

  /// Answers with what became of the message, if somebody still waits for an answer. [ring]
  __device__ void verdict_if_asked(Delivery delivery) {
    if (block_.answered == 0) answer(static_cast<std::uint32_t>(delivery), nullptr, 0, MessageHead::kVerdict);
  }

  /// A message whose time is over. [ring]
  __device__ void bury() {
    const std::uint64_t tail = block_.dead_tail;
    const bool room = tail - cuda::bus_load64(arguments_.dead.taken) <= arguments_.dead.mask;
    if (room)
      write(arguments_.dead.slot(tail), arguments_.dead.epoch(tail), message_->head(), message_->data());
    sync();
    if (lane() == 0 && room) ++block_.dead_tail;
    sync();
  }

 private:
  static constexpr std::int64_t kPatienceNs = 1'000'000'000;

  [[nodiscard]] __device__ std::byte* reply_slot() const {
    return arguments_.desk + ((message_->correlation() & 0xffffU) - 1) * arguments_.desk_stride;
  }

  [[nodiscard]] __device__ MessageHead head_for(std::uint32_t type, std::uint32_t size) const {
    MessageHead head;
    head.id = message_->id();
    head.type = type;
    head.bytes = size;
    head.source = arguments_.number;
    head.sent_ns = block_.begin_ns;
    return head;
  }

  __device__ void answer(std::uint32_t type, const void* bytes, std::uint32_t size, std::uint8_t flags) {
    MessageHead head = head_for(type, size);
    head.correlation = message_->correlation();
    head.flags = flags;
    write(reply_slot(), static_cast<std::uint32_t>(message_->correlation() >> 16U), head, bytes);
    sync();
    if (lane() == 0) block_.answered = 1;
    sync();
  }

  /// Writes a message into a slot: the first warp writes the cells, all workers a long payload before.
  __device__ void write(std::byte* slot, std::uint32_t epoch, const MessageHead& head, const void* bytes) {
    const bool is_long = head.bytes > Slot::kMostCellBytes;
    if (is_long) {
      if (bytes != slot + Slot::kPayload)
        copy(slot + Slot::kPayload, static_cast<const std::byte*>(bytes), head.bytes);
      __threadfence_system();  // before the cells, for whoever reads them
      sync();
    }
    if (lane() >= 32) return;
    const auto lane32 = static_cast<std::uint32_t>(lane());
    if (lane32 == 0) *reinterpret_cast<MessageHead*>(block_.scratch) = head;
    if (!is_long && lane32 * 4 < head.bytes) {
      // Lane n brings the n-th four bytes, byte by byte, because they may lie anywhere.
      std::uint32_t word = 0;
      for (std::uint32_t i = 0; i < 4 && lane32 * 4 + i < head.bytes; ++i)
        word |= static_cast<std::uint32_t>(static_cast<const std::byte*>(bytes)[lane32 * 4 + i]) << 8 * i;
      block_.scratch[Slot::kHeadCells + lane32] = word;
    }
    __syncwarp();
    if (2 * lane32 < Slot::cells(head.bytes))
      cuda::bus_store(slot + 16 * lane32,
                      make_uint4(block_.scratch[2 * lane32], epoch, block_.scratch[2 * lane32 + 1], epoch));
    __syncwarp();
  }

  __device__ void copy(std::byte* to, const std::byte* from, std::uint32_t bytes) const {
    const std::uint32_t aligned = (reinterpret_cast<std::uintptr_t>(from) & 3U) == 0 ? bytes / 4 : 0;
    for (auto i = static_cast<std::uint32_t>(lane()); i < aligned; i += static_cast<std::uint32_t>(workers_))
      reinterpret_cast<std::uint32_t*>(to)[i] = reinterpret_cast<const std::uint32_t*>(from)[i];
    for (auto i = 4 * aligned + static_cast<std::uint32_t>(lane()); i < bytes;
         i += static_cast<std::uint32_t>(workers_))
      to[i] = from[i];
  }

  __device__ Delivery room_in_outbox() {
    const std::uint64_t tail = block_.outbox_tail;
    if (tail - block_.outbox_taken <= arguments_.outbox.mask) return Delivery::ok;
    const std::int64_t begin = cuda::device_now_ns();
    do {
      block_.outbox_taken = cuda::bus_load64(arguments_.outbox.taken);
      if (tail - block_.outbox_taken <= arguments_.outbox.mask) return Delivery::ok;
    } while (arguments_.waits != 0 && !stopping() && cuda::device_now_ns() - begin < kPatienceNs);
    return Delivery::full;
  }

  /// Claims a slot at another kernel.
  __device__ Delivery claim(std::uint16_t number, std::uint32_t bytes, std::size_t band) {
    if (number == 0 || number > 255) return Delivery::unknown_target;
    const volatile Peer& peer = arguments_.peers[number];
    const std::int64_t begin = cuda::device_now_ns();
    for (;;) {
      if (peer.open == 0) return Delivery::unknown_target;
      if (bytes > peer.max_payload) return Delivery::too_large;
      std::uint64_t* const tail = peer.tail + band;
      std::uint64_t index = cuda::bus_load64(tail);
      while (index - cuda::bus_load64(peer.freed + band) <= peer.mask) {
        const std::uint64_t found = atomicCAS(reinterpret_cast<unsigned long long*>(tail), index, index + 1);
        if (found == index) {
          block_.target_slot = peer.slots + (band * (peer.mask + 1) + (index & peer.mask)) * peer.stride;
          block_.target_epoch = static_cast<std::uint32_t>(index >> peer.shift) + 1;
          return Delivery::ok;
        }
        index = found;
      }
      if (peer.waits == 0) return Delivery::full;
      if (stopping() || cuda::device_now_ns() - begin > kPatienceNs) return Delivery::timed_out;
    }
  }

  cuda::ResidentBlock& block_;
  const ResidentArguments& arguments_;
  int workers_;
  const Message* message_ = nullptr;
};

}  // namespace ringwave::ring
