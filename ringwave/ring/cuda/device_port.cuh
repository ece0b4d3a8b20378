// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// What Context asks of a host on a GPU; Context has the words. All workers of the block call it together, so
/// that each of them knows by itself what became of the message: what all know alike needs no shared memory.
/// [ring]
class DevicePort {
 public:
  static constexpr std::uint32_t kFailed = 1;
  static constexpr std::uint32_t kRefused = 2;
  static constexpr std::uint32_t kOverran = 4;

  __device__ DevicePort(cuda::ResidentBlock& block, const ResidentArguments& arguments, int workers)
      : block_(block), arguments_(arguments), workers_(workers) {}

  [[nodiscard]] __device__ int lane() const {
    return static_cast<int>(threadIdx.x) - 32 * cuda::kServiceWarps;
  }
  [[nodiscard]] __device__ int lanes() const { return workers_; }
  __device__ void sync() const {
    if (workers_ == 32)
      __syncwarp();
    else
      asm volatile("bar.sync 1, %0;" ::"r"(workers_) : "memory");
  }

  __device__ Delivery reply(const void* bytes, std::size_t size, std::uint32_t type) {
    if (!is_request()) return Delivery::unknown_target;
    if (size > arguments_.max_reply) return Delivery::too_large;
    if (answered_) return Delivery::duplicate;
    answer(type, bytes, static_cast<std::uint32_t>(size), 0);
    return Delivery::ok;
  }

  [[nodiscard]] __device__ std::byte* reply_space(std::size_t size) {
    if (answered_ || size > arguments_.max_reply) return nullptr;
    reply_bytes_ = static_cast<std::uint32_t>(size);
    return size <= Slot::kMostCellBytes ? block_.reply : reply_slot() + Slot::kPayload;
  }

  __device__ Delivery send_reply() {
    if (!is_request()) return Delivery::unknown_target;
    if (answered_) return Delivery::duplicate;
    sync();  // all have written
    const bool is_short = reply_bytes_ <= Slot::kMostCellBytes;
    answer(head_.type, is_short ? block_.reply : reply_slot() + Slot::kPayload, reply_bytes_, 0);
    return Delivery::ok;
  }

  __device__ Delivery emit(std::uint32_t type, const void* bytes, std::size_t size) {
    if (size > arguments_.max_payload) return Delivery::too_large;
    const std::uint64_t tail = block_.outbox_tail;
    if (tail - block_.outbox_taken > arguments_.outbox.mask && !wait_for_outbox()) {
      ++dropped_;
      return Delivery::full;
    }
    MessageHead head = head_for(type, static_cast<std::uint32_t>(size));
    head.correlation = head_.correlation;
    write(arguments_.outbox.slot(tail), arguments_.outbox.epoch(tail), head, bytes);
    sync();
    if (lane() == 0) block_.outbox_tail = tail + 1;
    sync();
    return Delivery::ok;
  }

  __device__ Delivery send(std::uint16_t target, std::uint32_t type, const void* bytes, std::size_t size,
                           std::uint8_t priority, bool with_request) {
    const bool hands_over = with_request && is_request();
    if (hands_over && answered_) return Delivery::duplicate;
    sync();
    if (lane() == 0)
      block_.delivery = static_cast<std::uint32_t>(
          claim(block_, arguments_, target, static_cast<std::uint32_t>(size), band_of(priority)));
    sync();
    const auto delivery = static_cast<Delivery>(block_.delivery);
    if (delivery == Delivery::ok) {
      MessageHead head = head_for(type, static_cast<std::uint32_t>(size));
      head.id = std::uint64_t{1} << 63U | std::uint64_t{arguments_.number} << 48U |
                (static_cast<std::uint64_t>(cuda::device_now_ns()) & 0xffff'ffff'ffffU);
      head.priority = priority;
      head.sent_ns = now_ns();
      head.deadline_ns = head_.deadline_ns;
      if (hands_over) {
        head.correlation = head_.correlation;
        head.flags = MessageHead::kRequest;
        answered_ = true;
      }
      write(block_.target_slot, block_.target_epoch, head, bytes);
    }
    sync();
    return delivery;
  }

  [[nodiscard]] __device__ int targets() const { return arguments_.targets; }
  [[nodiscard]] __device__ std::uint16_t target(int index) const {
    return index >= 0 && index < targets() ? arguments_.target[index] : std::uint16_t{0};
  }

  __device__ void fail(std::uint32_t code) {
    flags_ |= kFailed;
    block_.code = code;
  }
  __device__ void refuse() { flags_ |= kRefused; }
  [[nodiscard]] __device__ bool stopping() const { return is_stopping(block_); }
  [[nodiscard]] __device__ std::uint8_t priority() const { return head_.priority; }
  [[nodiscard]] __device__ bool* overrun() { return &overrun_; }
  [[nodiscard]] __device__ std::int64_t now_ns() const {
    return cuda::device_now_ns() + block_.clock_offset_ns;
  }

  /// Takes a message in hand; returns when, the same for all workers. [ring]
  __device__ std::int64_t begin(const MessageHead& head) {
    begin_ns_ = now_ns();
    if (workers_ == 32) {
      begin_ns_ = __shfl_sync(~0U, begin_ns_, 0);
    } else {
      if (lane() == 0) block_.begin_ns = begin_ns_;
      sync();
      begin_ns_ = block_.begin_ns;
    }
    if (arguments_.tells_busy != 0 && lane() == 0) block_.busy_since_ns = begin_ns_;
    head_ = head;
    answered_ = !is_request();
    flags_ = 0;
    overrun_ = false;
    reply_bytes_ = 0;
    return begin_ns_;
  }

  /// kFailed, kRefused, kOverran: what any of the workers found. [ring]
  [[nodiscard]] __device__ std::uint32_t flags_of_all() const {
    const std::uint32_t mine = flags_ | (overrun_ ? kOverran : 0);
    std::uint32_t all = 0;
    for (const std::uint32_t flag : {kFailed, kRefused, kOverran})
      if (any_worker((mine & flag) != 0)) all |= flag;
    return all;
  }

  /// Messages that a full outbox cost. [ring]
  [[nodiscard]] __device__ std::uint64_t dropped() const { return dropped_; }

  /// Answers with what became of the message, if somebody still waits for an answer. [ring]
  __device__ void verdict_if_asked(Delivery delivery) {
    if (!answered_) answer(static_cast<std::uint32_t>(delivery), nullptr, 0, MessageHead::kVerdict);
  }

  /// A message whose time is over. [ring]
  __device__ void bury(const std::byte* payload) {
    const std::uint64_t tail = block_.dead_tail;
    if (lane() == 0)
      block_.delivery = tail - cuda::bus_load64(arguments_.dead.taken) <= arguments_.dead.mask ? 1U : 0U;
    sync();
    const bool room = block_.delivery != 0;
    if (room) write(arguments_.dead.slot(tail), arguments_.dead.epoch(tail), head_, payload);
    sync();
    if (lane() == 0 && room) block_.dead_tail = tail + 1;
    sync();
  }

 private:
  /// Waits for all workers; true where it is for one of them.
  [[nodiscard]] __device__ bool any_worker(bool mine) const {
    if (workers_ == 32) return __any_sync(~0U, mine) != 0;
    std::uint32_t any = 0;
    asm volatile(
        "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 1, %2, p; selp.u32 %0, 1, 0, q; }"
        : "=r"(any)
        : "r"(mine ? 1U : 0U), "r"(workers_)
        : "memory");
    return any != 0;
  }

  static constexpr std::int64_t kPatienceNs = 1'000'000'000;

  [[nodiscard]] __device__ bool is_request() const { return (head_.flags & MessageHead::kRequest) != 0; }

  [[nodiscard]] __device__ std::byte* reply_slot() const {
    return arguments_.desk + ((head_.correlation & 0xffffU) - 1) * arguments_.desk_stride;
  }

  [[nodiscard]] __device__ MessageHead head_for(std::uint32_t type, std::uint32_t size) const {
    MessageHead head;
    head.id = head_.id;
    head.type = type;
    head.bytes = size;
    head.source = arguments_.number;
    head.sent_ns = begin_ns_;
    return head;
  }

  __device__ void answer(std::uint32_t type, const void* bytes, std::uint32_t size, std::uint8_t flags) {
    MessageHead head = head_for(type, size);
    head.correlation = head_.correlation;
    head.flags = flags;
    write(reply_slot(), static_cast<std::uint32_t>(head_.correlation >> 16U), head, bytes);
    answered_ = true;
  }

  /// Writes a message into a slot: the first sixteen lanes write the cells, all workers a long payload
  /// before.
  __device__ void write(std::byte* slot, std::uint32_t epoch, const MessageHead& head,
                        const void* bytes) const {
    const auto* const payload = static_cast<const std::byte*>(bytes);
    if (head.bytes > Slot::kMostCellBytes) {
      write_long(slot + Slot::kPayload, payload, head.bytes, lane(), workers_);
      sync();
    }
    const auto chunk = static_cast<std::uint32_t>(lane());
    if (2 * chunk >= Slot::cells(head.bytes)) return;
    uint2 words = head_words(head, chunk);
    if (chunk >= Slot::kHeadCells / 2)
      words =
          payload_words(payload, head.bytes, 8 * (chunk - static_cast<std::uint32_t>(Slot::kHeadCells) / 2));
    cuda::bus_store(slot + 16 * chunk, make_uint4(words.x, epoch, words.y, epoch));
  }

  /// Words 2 n and 2 n + 1 of a head that every lane has in registers.
  __device__ static uint2 head_words(const MessageHead& head, std::uint32_t chunk) {
    std::uint64_t word = head.id;
    if (chunk == 1) word = head.correlation;
    if (chunk == 2) word = static_cast<std::uint64_t>(head.deadline_ns);
    if (chunk == 3) word = static_cast<std::uint64_t>(head.sent_ns);
    if (chunk == 4) word = std::uint64_t{head.bytes} << 32U | head.type;
    if (chunk == 5)
      word = std::uint64_t{head.flags} << 56U | std::uint64_t{head.priority} << 48U |
             std::uint64_t{head.source} << 32U | head.argument;
    return make_uint2(static_cast<unsigned>(word), static_cast<unsigned>(word >> 32U));
  }

  /// Eight bytes from anywhere; zeros beyond the end.
  __device__ static uint2 payload_words(const std::byte* bytes, std::uint32_t size, std::uint32_t at) {
    if (at + 8 > size || (reinterpret_cast<std::uintptr_t>(bytes) & 3U) != 0)
      return odd_words(bytes, size, at);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(bytes + at);
    return make_uint2(words[0], words[1]);
  }

  __device__ static __noinline__ uint2 odd_words(const std::byte* bytes, std::uint32_t size,
                                                 std::uint32_t at) {
    uint2 words = make_uint2(0, 0);
#pragma unroll 1
    for (std::uint32_t i = 0; i < 8 && at + i < size; ++i)
      (i < 4 ? words.x : words.y) |= static_cast<std::uint32_t>(bytes[at + i]) << 8 * (i % 4);
    return words;
  }

  /// By all workers; whoever reads the cells that are written next sees it.
  __device__ static __noinline__ void write_long(std::byte* to, const std::byte* from, std::uint32_t bytes,
                                                 int lane, int workers) {
    if (to != from) {
      const std::uint32_t aligned = (reinterpret_cast<std::uintptr_t>(from) & 3U) == 0 ? bytes / 4 : 0;
      for (auto i = static_cast<std::uint32_t>(lane); i < aligned; i += static_cast<std::uint32_t>(workers))
        reinterpret_cast<std::uint32_t*>(to)[i] = reinterpret_cast<const std::uint32_t*>(from)[i];
#pragma unroll 1
      for (auto i = 4 * aligned + static_cast<std::uint32_t>(lane); i < bytes;
           i += static_cast<std::uint32_t>(workers))
        to[i] = from[i];
    }
    __threadfence_system();
  }

  /// Looks how far the host has read, and waits where the kernel's policy is to wait; false where there is no
  /// room.
  __device__ bool wait_for_outbox() const {
    sync();
    if (lane() == 0) look_at_outbox(block_, arguments_);
    sync();
    return block_.outbox_tail - block_.outbox_taken <= arguments_.outbox.mask;
  }

  __device__ static __noinline__ void look_at_outbox(cuda::ResidentBlock& block,
                                                     const ResidentArguments& arguments) {
    const std::int64_t begin = cuda::device_now_ns();
    do block.outbox_taken = cuda::bus_load64(arguments.outbox.taken);
    while (block.outbox_tail - block.outbox_taken > arguments.outbox.mask && arguments.waits != 0 &&
           !is_stopping(block) && cuda::device_now_ns() - begin < kPatienceNs);
  }

  [[nodiscard]] __device__ static bool is_stopping(const cuda::ResidentBlock& block) {
    return block.command >= static_cast<std::uint32_t>(Command::end);
  }

  /// Claims a slot at another kernel.
  __device__ static __noinline__ Delivery claim(cuda::ResidentBlock& block,
                                                const ResidentArguments& arguments, std::uint16_t number,
                                                std::uint32_t bytes, std::size_t band) {
    if (number == 0 || number > 255) return Delivery::unknown_target;
    const volatile Peer& peer = arguments.peers[number];
    const std::int64_t begin = cuda::device_now_ns();
    for (;;) {
      if (peer.open == 0) return Delivery::unknown_target;
      if (bytes > peer.max_payload) return Delivery::too_large;
      std::uint64_t* const tail = peer.tail + band;
      std::uint64_t index = cuda::bus_load64(tail);
      // Signed: the index may be one that was freed long ago.
      while (static_cast<std::int64_t>(index - cuda::bus_load64(peer.freed + band)) <=
             static_cast<std::int64_t>(peer.mask)) {
        const std::uint64_t found = atomicCAS(reinterpret_cast<unsigned long long*>(tail), index, index + 1);
        if (found == index) {
          block.target_slot = peer.slots + (band * (peer.mask + 1) + (index & peer.mask)) * peer.stride;
          block.target_epoch = static_cast<std::uint32_t>(index >> peer.shift) + 1;
          return Delivery::ok;
        }
        index = found;
      }
      if (peer.waits == 0) return Delivery::full;
      if (is_stopping(block) || cuda::device_now_ns() - begin > kPatienceNs) return Delivery::timed_out;
    }
  }

  cuda::ResidentBlock& block_;
  const ResidentArguments& arguments_;
  int workers_;
  MessageHead head_{};
  std::int64_t begin_ns_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint32_t flags_ = 0;
  std::uint32_t reply_bytes_ = 0;
  bool answered_ = true;
  bool overrun_ = false;
};

}  // namespace ringwave::ring
