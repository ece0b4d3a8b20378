// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/buffer_reference.hpp"
#include "ringwave/ring/cuda/blocks.cuh"
#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"
#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// What Context asks of a host on a GPU; Context has the words. All workers of all blocks call it together,
/// so that each of them knows by itself what became of the message: what all know alike needs no shared
/// memory. The first block alone writes to others. [ring]
class DevicePort {
 public:
  static constexpr std::uint32_t kFailed = 1;
  static constexpr std::uint32_t kRefused = 2;
  static constexpr std::uint32_t kOverran = 4;
  static constexpr std::uint32_t kTooLong = 8;

  /// `workers` lanes in each of so many blocks. Where these are constants, so is much of the rest. [ring]
  __device__ DevicePort(cuda::ResidentBlock& block, const ResidentArguments& arguments, int workers,
                        int blocks)
      : block_(block),
        arguments_(arguments),
        workers_(workers),
        blocks_(block, arguments, workers, blocks),
        outbox_tail_(block.outbox_tail),
        outbox_taken_(outbox_tail_ - arguments.outbox.mask - 1) {}

  [[nodiscard]] __device__ int lane() const { return blocks_.rank() * workers_ + block_lane(); }
  [[nodiscard]] __device__ int lanes() const { return blocks_.count() * workers_; }
  __device__ void sync() {
    if (blocks_.are_several())
      blocks_.meet();
    else
      sync_block();
  }
  [[nodiscard]] __device__ int block() const { return blocks_.rank(); }
  [[nodiscard]] __device__ int blocks() const { return blocks_.count(); }
  [[nodiscard]] __device__ int block_lane() const {
    return static_cast<int>(threadIdx.x) - 32 * cuda::kServiceWarps;
  }
  [[nodiscard]] __device__ int block_lanes() const { return workers_; }
  __device__ void sync_block() const { cuda::Blocks::sync_block(workers_); }
  [[nodiscard]] __device__ bool any_in_block(bool mine) const {
    return cuda::Blocks::any_in_block(mine, workers_);
  }

  /// What the first lane has. [ring]
  [[nodiscard]] __device__ std::uint64_t from_first(std::uint64_t mine) {
    if (blocks_.are_several()) return blocks_.learn(mine);
    if (workers_ == 32) return __shfl_sync(~0U, mine, 0);
    sync_block();  // who read the last one has done so
    if (block_lane() == 0) const_cast<volatile std::uint64_t&>(block_.found) = mine;
    sync_block();
    return const_cast<volatile std::uint64_t&>(block_.found);
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
    return size > Slot::kMostCellBytes ? reply_slot() + Slot::kPayload
           : blocks_.are_several()     ? arguments_.blocks_memory->reply
                                       : block_.reply;
  }

  __device__ Delivery send_reply() {
    if (!is_request()) return Delivery::unknown_target;
    if (answered_) return Delivery::duplicate;
    const bool is_in_place = reply_bytes_ > Slot::kMostCellBytes;
    if (blocks_.are_several())
      blocks_.meet(0, is_in_place);
    else
      sync_block();  // all have written; what is in place is shown with the cells
    answer(head_.type, reply_space(reply_bytes_), reply_bytes_, 0);
    return Delivery::ok;
  }

  __device__ Delivery emit(std::uint32_t type, const void* bytes, std::size_t size) {
    if (size > arguments_.max_payload) return Delivery::too_large;
    Delivery delivery = Delivery::ok;
    if (blocks_.leads()) delivery = emit_here(type, bytes, size);
    return blocks_.are_several() ? agreed(delivery) : delivery;
  }

  __device__ Delivery send(std::uint16_t target, std::uint32_t type, const void* bytes, std::size_t size,
                           std::uint8_t priority, bool with_request) {
    const bool hands_over = with_request && is_request();
    if (hands_over && answered_) return Delivery::duplicate;
    Delivery delivery = Delivery::ok;
    if (blocks_.leads()) delivery = send_here(target, type, bytes, size, priority, hands_over);
    if (blocks_.are_several()) delivery = agreed(delivery);
    if (hands_over && delivery == Delivery::ok) answered_ = true;
    return delivery;
  }

  [[nodiscard]] __device__ int targets() const { return arguments_.targets; }
  [[nodiscard]] __device__ std::uint16_t target(int index) const {
    return index >= 0 && index < targets() ? arguments_.target[index] : std::uint16_t{0};
  }

  __device__ void fail(std::uint32_t code) {
    flags_ |= kFailed;
    block_.code = code;
    if (!blocks_.leads()) arguments_.blocks_memory->code = code;
  }
  __device__ void refuse() { flags_ |= kRefused; }
  [[nodiscard]] __device__ bool stopping() const {
    const volatile std::uint32_t& heard =
        blocks_.leads() ? block_.command : arguments_.blocks_memory->command;
    return heard >= static_cast<std::uint32_t>(Command::end);
  }
  [[nodiscard]] __device__ std::uint8_t priority() const { return head_.priority; }
  [[nodiscard]] __device__ bool* overrun() const { return &block_.overrun; }
  [[nodiscard]] __device__ std::int64_t now_ns() const {
    return cuda::device_now_ns() + block_.clock_offset_ns;
  }

  /// Takes a message in hand, now. [ring]
  __device__ void begin(const MessageHead& head, std::int64_t now_ns) {
    begin_ns_ = now_ns;
    if (arguments_.tells_busy != 0 && block_lane() == 0) block_.busy_since_ns = begin_ns_;
    head_ = head;
    answered_ = !is_request();
    is_expired_ = head.deadline_ns != 0 && any_worker(begin_ns_ > head.deadline_ns);
    flags_ = 0;
    reply_bytes_ = 0;
  }

  /// When that was. [ring]
  [[nodiscard]] __device__ std::int64_t begin_ns() const { return begin_ns_; }
  /// Its time was over by then; the same for all workers. [ring]
  [[nodiscard]] __device__ bool is_expired() const { return is_expired_; }

  /// True where any of the workers may have something for flags_of_all(). [ring]
  [[nodiscard]] __device__ bool has_objections() const {
    constexpr auto kRuns = cuda::ResidentBlock::mood_of(static_cast<std::uint32_t>(Command::run));
    return any_worker(flags_ != 0 || block_.mood != kRuns);
  }

  /// kFailed, kRefused, kOverran, kTooLong: what any of the workers found. [ring]
  [[nodiscard]] __device__ std::uint32_t flags_of_all() const {
    std::uint32_t mine = flags_;
    if (const_cast<volatile bool&>(block_.overrun)) mine |= kOverran;
    if (block_lane() == 0 && block_.command == ControlBlock::kGiveUp) mine |= kTooLong;
    std::uint32_t all = 0;
    for (const std::uint32_t flag : {kFailed, kRefused, kOverran, kTooLong})
      if (any_worker((mine & flag) != 0)) all |= flag;
    return all;
  }

  /// True in the block that finds the messages. [ring]
  [[nodiscard]] __device__ bool leads() const { return blocks_.leads(); }
  [[nodiscard]] __device__ bool has_followers() const { return blocks_.are_several(); }

  /// Waits until all blocks are there; false where the kernel is to end before. [ring]
  [[nodiscard]] __device__ bool gather() { return blocks_.gather(); }

  /// In the first block: has the others handle the message as well. [ring]
  __device__ void tell(const Message& message) { blocks_.tell(message.head(), message.data(), begin_ns_); }

  /// In the others: waits for that; null where they are to leave. [ring]
  [[nodiscard]] __device__ const BlockOrder* hear() {
    const BlockOrder& order = blocks_.hear();
    if (order.leaves != 0) return nullptr;
    block_.clock_offset_ns = order.clock_offset_ns;
    return &order;
  }

  /// Waits until all blocks have handled the message; what any of the workers of the others found. [ring]
  [[nodiscard]] __device__ std::uint32_t part() {
    const std::uint32_t mine = !leads() && has_objections() ? flags_of_all() : 0;
    const std::uint32_t found = blocks_.meet(mine);
    if (leads() && block_lane() == 0 && found != 0) {
      arguments_.blocks_memory->says = 0;
      if ((found & kFailed) != 0)
        block_.code = const_cast<volatile std::uint32_t&>(arguments_.blocks_memory->code);
    }
    return found;
  }

  /// What the next start goes on with; and the other blocks leave. [ring]
  __device__ void finish() {
    if (!leads()) return;
    if (block_lane() == 0) block_.outbox_tail = outbox_tail_;
    if (has_followers()) blocks_.dismiss();
  }

  /// Answers with what became of the message, if somebody still waits for an answer. [ring]
  __device__ void verdict_if_asked(Delivery delivery) {
    if (!answered_) answer(static_cast<std::uint32_t>(delivery), nullptr, 0, MessageHead::kVerdict);
  }

  /// A message whose time is over, without what it referred to. [ring]
  __device__ void bury(const std::byte* payload) {
    if (is_by_reference(head_)) head_.bytes = 0;
    const std::uint64_t tail = block_.dead_tail;
    if (block_lane() == 0) block_.found = cuda::bus_load64(arguments_.dead_taken);
    sync_block();
    const bool room = tail - const_cast<volatile std::uint64_t&>(block_.found) <= arguments_.dead.mask;
    if (room)
      write(arguments_.dead.slot(tail), arguments_.dead.epoch(tail), head_, wire_to_host(head_), payload);
    sync_block();
    if (block_lane() == 0 && room) block_.dead_tail = tail + 1;
    sync_block();
  }

  /// Waits for all workers; true where it is for one of them. [ring]
  [[nodiscard]] __device__ bool any_worker(bool mine) const {
    if (workers_ == 32) return __any_sync(~0U, mine) != 0;
    __syncwarp();
    std::uint32_t any = 0;
    asm volatile(
        "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 1, %2, p; selp.u32 %0, 1, 0, q; }"
        : "=r"(any)
        : "r"(mine ? 1U : 0U), "r"(workers_)
        : "memory");
    return any != 0;
  }

 private:
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
    if (blocks_.leads())
      write(reply_slot(), static_cast<std::uint32_t>(head_.correlation >> 16U), head, wire_to_host(head),
            bytes);
    answered_ = true;
  }

  /// What the first block knows of a message, for all.
  __device__ Delivery agreed(Delivery delivery) {
    return static_cast<Delivery>(blocks_.learn(static_cast<std::uint64_t>(delivery)));
  }

  __device__ Delivery emit_here(std::uint32_t type, const void* bytes, std::size_t size) {
    if (outbox_tail_ - outbox_taken_ > arguments_.outbox.mask && !wait_for_outbox()) {
      if (block_lane() == 0)
        const_cast<volatile std::uint64_t&>(block_.counts.dropped) = block_.counts.dropped + 1;
      return Delivery::full;
    }
    MessageHead head = head_for(type, static_cast<std::uint32_t>(size));
    head.correlation = head_.correlation;
    write(arguments_.outbox.slot(outbox_tail_), arguments_.outbox.epoch(outbox_tail_), head,
          wire_to_host(head), bytes);
    ++outbox_tail_;
    return Delivery::ok;
  }

  __device__ Delivery send_here(std::uint16_t target, std::uint32_t type, const void* bytes, std::size_t size,
                                std::uint8_t priority, bool hands_over) {
    sync_block();
    if (block_lane() == 0)
      block_.delivery = static_cast<std::uint32_t>(
          claim(block_, arguments_, target, static_cast<std::uint32_t>(size), band_of(priority)));
    sync_block();
    const auto delivery = static_cast<Delivery>(block_.delivery);
    if (delivery == Delivery::ok) {
      MessageHead head = head_for(type, static_cast<std::uint32_t>(size));
      head.id = 0;
      head.priority = priority;
      head.sent_ns = now_ns();
      head.deadline_ns = head_.deadline_ns;
      head.argument = block_.target_argument;
      if (hands_over) {
        head.correlation = head_.correlation;
        head.flags = MessageHead::kRequest;
      }
      write(block_.target_slot, block_.target_epoch, head, wire_to_kernel(head), bytes);
    }
    sync_block();
    return delivery;
  }

  /// Writes a message into a slot: the first eight lanes write the cells; before, all workers a long payload.
  __device__ void write(std::byte* slot, std::uint32_t epoch, const MessageHead& head, const WireHead& wire,
                        const void* bytes) const {
    const auto* const payload = static_cast<const std::byte*>(bytes);
    if (head.bytes > Slot::kMostCellBytes || wire.is_plain()) {
      if (block_lane() == 0 && wire.is_plain()) *reinterpret_cast<MessageHead*>(slot + Slot::kPlain) = head;
      const bool is_in_place = slot + Slot::kPayload == payload;
      const std::uint32_t behind = head.bytes > Slot::kMostCellBytes && !is_in_place ? head.bytes : 0;
      write_long(slot + Slot::kPayload, payload, behind, block_lane(), workers_);
      sync_block();
      // By the warp that writes the cells, for all who came: one fence costs less than one of each warp. What
      // several blocks have written in place they have shown themselves, at their meeting.
      const bool is_shown = is_in_place && blocks_.are_several() && !wire.is_plain();
      if (block_lane() < 32 && !is_shown) __threadfence_system();
    }
    const auto cell = static_cast<std::uint32_t>(block_lane());
    // The payload begins with the last word of the third cell.
    const int at = 3 * static_cast<int>(cell) - static_cast<int>(WireHead::kWords);
    const std::uint32_t in_cells = head.bytes > Slot::kMostCellBytes ? 0 : head.bytes;
    const uint3 more = payload_words(payload, in_cells, at);
    const std::uint32_t* const w = wire.words;
    const uint4 words =
        make_uint4(select(cell, w[0], w[3], w[6], more.x), select(cell, w[1], w[4], w[7], more.y),
                   select(cell, w[2], w[5], more.z, more.z), epoch);
    if (cell < Slot::cells(head.bytes)) cuda::bus_store(slot + 16 * cell, words);
  }

  /// Of four words the one for a cell, without a branch: lanes that go different ways go one after the other.
  __device__ static std::uint32_t select(std::uint32_t cell, std::uint32_t first, std::uint32_t second,
                                         std::uint32_t third, std::uint32_t other) {
    std::uint32_t word;
    asm("{ .reg .pred a, b, c; setp.eq.u32 a, %5, 0; setp.eq.u32 b, %5, 1; setp.eq.u32 c, %5, 2;"
        " selp.b32 %0, %3, %4, c; selp.b32 %0, %2, %0, b; selp.b32 %0, %1, %0, a; }"
        : "=&r"(word)
        : "r"(first), "r"(second), "r"(third), "r"(other), "r"(cell));
    return word;
  }

  /// Three words of a payload, from word `at` on; zeros before and beyond.
  __device__ static uint3 payload_words(const std::byte* bytes, std::uint32_t size, int at) {
    if (((size | static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(bytes))) & 3U) != 0)
      return odd_words(bytes, size, at);
    const auto* const words = reinterpret_cast<const std::uint32_t*>(bytes) + at;
    // Unsigned: what is before the beginning is beyond the end.
    const std::uint32_t count = size / 4;
    uint3 three = make_uint3(0, 0, 0);
    if (static_cast<std::uint32_t>(at) < count) three.x = words[0];
    if (static_cast<std::uint32_t>(at + 1) < count) three.y = words[1];
    if (static_cast<std::uint32_t>(at + 2) < count) three.z = words[2];
    return three;
  }

  __device__ static __noinline__ uint3 odd_words(const std::byte* bytes, std::uint32_t size, int at) {
    std::uint32_t words[3] = {0, 0, 0};
#pragma unroll 1
    for (int i = 0; i < 12; ++i) {
      const int byte = 4 * at + i;
      if (byte >= 0 && byte < static_cast<int>(size))
        words[i / 4] |= static_cast<std::uint32_t>(bytes[byte]) << 8 * (i % 4);
    }
    return make_uint3(words[0], words[1], words[2]);
  }

  /// By all workers.
  __device__ static __noinline__ void write_long(std::byte* to, const std::byte* from, std::uint32_t bytes,
                                                 int lane, int workers) {
    const std::uint32_t aligned = (reinterpret_cast<std::uintptr_t>(from) & 3U) == 0 ? bytes / 4 : 0;
    for (auto i = static_cast<std::uint32_t>(lane); i < aligned; i += static_cast<std::uint32_t>(workers))
      reinterpret_cast<std::uint32_t*>(to)[i] = reinterpret_cast<const std::uint32_t*>(from)[i];
#pragma unroll 1
    for (auto i = 4 * aligned + static_cast<std::uint32_t>(lane); i < bytes;
         i += static_cast<std::uint32_t>(workers))
      to[i] = from[i];
  }

  /// Looks how far the host has read, and waits where the kernel's policy is to wait; false where there is no
  /// room.
  __device__ bool wait_for_outbox() {
    sync_block();
    if (block_lane() == 0) look_at_outbox(block_, arguments_, outbox_tail_);
    sync_block();
    outbox_taken_ = const_cast<volatile std::uint64_t&>(block_.found);
    return outbox_tail_ - outbox_taken_ <= arguments_.outbox.mask;
  }

  __device__ static __noinline__ void look_at_outbox(cuda::ResidentBlock& block,
                                                     const ResidentArguments& arguments, std::uint64_t tail) {
    const std::int64_t begin = cuda::device_now_ns();
    std::uint64_t taken = 0;
    do taken = cuda::bus_load64(arguments.outbox_taken);
    while (tail - taken > arguments.outbox.mask && arguments.waits != 0 && !is_stopping(block) &&
           cuda::device_now_ns() - begin < kPatienceNs);
    block.found = taken;
  }

  [[nodiscard]] __device__ static bool is_stopping(const cuda::ResidentBlock& block) {
    return block.command >= static_cast<std::uint32_t>(Command::end);
  }

  /// Claims a slot at another kernel. What is known of it from the last time is taken as a guess: the claim
  /// itself says whether it was right, and every look costs a trip to the device's memory. Memory of a kernel
  /// that is gone stays as long as any is resident, and is closed.
  __device__ static __noinline__ Delivery claim(cuda::ResidentBlock& block,
                                                const ResidentArguments& arguments, std::uint16_t number,
                                                std::uint32_t bytes, std::size_t band) {
    if (number == 0 || number > 255) return Delivery::unknown_target;
    cuda::Acquaintance& known = block.acquaintance;
    block.target_argument = 0;
    if (known.number != number && !meet(known, arguments, number))
      return claim_far(block, arguments, number, bytes, band);
    const std::int64_t begin = cuda::device_now_ns();
    for (;;) {
      if (bytes > known.max_payload) return Delivery::too_large;
      const std::uint64_t index = known.tail[band];
      std::uint64_t found = 0;
      if (has_room(known, band)) {
        found = atomicCAS(reinterpret_cast<unsigned long long*>(known.tails + band), index, index + 1);
        known.tail[band] = found == index ? index + 1 : found;
        if (found == index) {
          block.target_slot = known.inbox.slot(index, band);
          block.target_epoch = known.inbox.epoch(index);
          return Delivery::ok;
        }
      } else {
        known.freed[band] = cuda::bus_load64(known.freeds + band);
        found = known.tail[band] = cuda::bus_load64(known.tails + band);
      }
      if ((found & Peer::kClosed) != 0) {
        // It is gone; another kernel may have its number by now.
        if (!meet(known, arguments, number)) return claim_far(block, arguments, number, bytes, band);
      } else if (!has_room(known, band)) {
        if (known.waits == 0) return Delivery::full;
        if (is_stopping(block) || cuda::device_now_ns() - begin > kPatienceNs) return Delivery::timed_out;
      }
    }
  }

  /// As far as is known. Signed: the index may be one that was freed long ago.
  [[nodiscard]] __device__ static bool has_room(const cuda::Acquaintance& known, std::size_t band) {
    return static_cast<std::int64_t>(known.tail[band] - known.freed[band]) <=
           static_cast<std::int64_t>(known.inbox.mask);
  }

  /// Claims a slot for a message to a kernel elsewhere, which the host forwards. One on this device that is
  /// not resident is none.
  __device__ static __noinline__ Delivery claim_far(cuda::ResidentBlock& block,
                                                    const ResidentArguments& arguments, std::uint32_t number,
                                                    std::uint32_t bytes, std::size_t band) {
    const std::uint32_t place = cuda::bus_load32(arguments.whereabouts + number);
    if (place == 0 || place == arguments.place) return Delivery::unknown_target;
    if (bytes > arguments.max_payload) return Delivery::too_large;
    const std::uint64_t index = block.far_tail[band];
    const std::int64_t begin = cuda::device_now_ns();
    while (index - block.far_taken[band] > arguments.far.mask) {
      if (is_stopping(block) || cuda::device_now_ns() - begin > kPatienceNs) return Delivery::timed_out;
      block.far_taken[band] = cuda::bus_load64(arguments.far_taken + band);
    }
    block.far_tail[band] = index + 1;
    block.target_slot = arguments.far.slot(index, band);
    block.target_epoch = arguments.far.epoch(index);
    block.target_argument = number;
    return Delivery::ok;
  }

  /// False where no kernel of that number is resident here.
  __device__ static bool meet(cuda::Acquaintance& known, const ResidentArguments& arguments,
                              std::uint32_t number) {
    const volatile Peer& peer = arguments.peers[number];
    known.number = 0;
    if (peer.launch == 0 || arguments.place == 0) return false;
    __threadfence();
    known.inbox = {peer.inbox.slots, peer.inbox.mask, peer.inbox.shift, peer.inbox.stride};
    known.tails = peer.tail;
    known.freeds = peer.freed;
    known.max_payload = peer.max_payload;
    known.waits = peer.waits;
    for (std::size_t band = 0; band < kBands; ++band) known.tail[band] = known.freed[band] = 0;
    known.number = number;
    return true;
  }

  cuda::ResidentBlock& block_;
  const ResidentArguments& arguments_;
  int workers_;
  cuda::Blocks blocks_;
  MessageHead head_{};
  std::int64_t begin_ns_ = 0;
  std::uint64_t outbox_tail_;
  std::uint64_t outbox_taken_;  // by the host, as far as is known
  std::uint32_t flags_ = 0;
  std::uint32_t reply_bytes_ = 0;
  bool answered_ = true;
  bool is_expired_ = false;
};

}  // namespace ringwave::ring
