// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/buffer_reference.hpp"
#include "ringwave/ring/context.hpp"
#include "ringwave/ring/cuda/device_port.cuh"
#include "ringwave/ring/message_id.hpp"

namespace ringwave::ring::cuda {

/// The warps that handle messages: the first one picks the highest that was found, all run the handler. In a
/// kernel of several blocks the first block does that, and has the others run the handler with it.
///
/// A lone warp takes some nanoseconds for every instruction, and more for those it has not run lately: the
/// way of a message that is neither late nor long is short, and there is one copy of it.
template <class Handler>
class Worker {
 public:
  __device__ Worker(ResidentBlock& block, const ResidentArguments& arguments, int workers)
      : block_(block),
        arguments_(arguments),
        port_(block, arguments, workers),
        written_(block.diary.written) {}

  /// Until the kernel is to end, or has failed. [ring]
  __device__ void run() {
    if (port_.gather()) {
      Pick picked = next();
      while (picked.place != kLeave && !handle(picked)) picked = next();
    }
    port_.finish();
  }

 private:
  static constexpr std::uint32_t kAll = ~0U;
  static constexpr std::uint32_t kNone = ~0U;
  static constexpr std::uint32_t kLeave = ~0U - 1;
  static constexpr std::uint32_t kTold = ~0U - 2;

  /// A message on the trays.
  struct Pick {
    std::uint32_t place;
    std::uint32_t band;
    std::uint64_t index;
  };

  /// A message, opened.
  struct Opened {
    MessageHead head;
    const std::byte* payload;
    std::int64_t now_ns;
    bool is_long;
  };

  /// What is next; all workers learn it.
  __device__ Pick next() {
    Pick picked{kNone, 0, 0};
    if (!port_.leads()) {
      order_ = port_.hear();
      picked.place = order_ != nullptr ? kTold : kLeave;
      return picked;
    }
    if (port_.block_lane() < 32)
      while (picked.place == kNone) picked = pick();
    if (port_.block_lanes() == 32) return picked;
    if (port_.block_lane() == 0) {
      block_.pick = picked.place;
      block_.index = picked.index;
    }
    port_.sync_block();
    picked.place = const_cast<volatile std::uint32_t&>(block_.pick);
    if (picked.place == kLeave) return picked;
    picked.index = const_cast<volatile std::uint64_t&>(block_.index);
    picked.band = const_cast<volatile std::uint32_t&>(block_.trays.band[picked.place]);
    return picked;
  }

  /// The place whose message is next. Of two sources in one band the one that was not served last goes first.
  __device__ Pick pick() {
    const std::uint32_t lane = threadIdx.x % 32;
    const bool watches = lane < Trays::kPlaces;
    const std::uint32_t place = watches ? lane : 0;
    volatile Trays& trays = block_.trays;
    const bool is_full = watches && trays.full[place] != 0;
    const std::uint32_t command = block_.command;
    const std::uint32_t band = trays.band[place];
    const std::uint32_t index = trays.index[place];
    const std::uint32_t full = __ballot_sync(kAll, is_full);
    const bool is_held = command != static_cast<std::uint32_t>(Command::run) || !is_running_;
    if (is_held) {
      if (command >= static_cast<std::uint32_t>(Command::end)) return {kLeave, 0, 0};
      note_phase(command == static_cast<std::uint32_t>(Command::run));
      if (arguments_.drops == 0) return {kNone, 0, 0};
    }
    if (full == 0) return {kNone, 0, 0};
    const std::uint64_t next =
        const_cast<volatile std::uint64_t&>(block_.next[Trays::source_of(place)][band % kBands]);
    const auto ahead = static_cast<std::int32_t>(index - static_cast<std::uint32_t>(next));
    if (is_full && ahead < 0) trays.full[place] = 0;  // another place had it too
    // What is to be dropped makes room also while the kernel holds.
    const bool may_go = !is_held || (Trays::source_of(place) == 0 && next < block_.floors[band % kBands]);
    const std::uint32_t chosen = highest(is_full && ahead == 0 && may_go, band);
    const int from = static_cast<int>(chosen % 32);
    return {chosen, __shfl_sync(kAll, band, from), __shfl_sync(kAll, next, from)};
  }

  /// Of the places of lanes that have a next message, the one of the highest band.
  __device__ std::uint32_t highest(bool is_next, std::uint32_t band) {
    std::uint32_t found = __ballot_sync(kAll, is_next);
    if (found == 0) return kNone;
    for (std::uint32_t above = kBands - 1; above > 0; --above) {
      const std::uint32_t there = __ballot_sync(kAll, is_next && band == above);
      if (there == 0) continue;
      found = there;
      break;
    }
    constexpr std::uint32_t kHosts = (1U << Trays::kHostPlaces) - 1;
    const std::uint32_t preferred = found & (hosts_turn_ ? kHosts : ~kHosts);
    const std::uint32_t chosen = preferred != 0 ? preferred : found;
    const auto place = static_cast<std::uint32_t>(__ffs(static_cast<int>(chosen))) - 1;
    hosts_turn_ = Trays::source_of(place) != 0;
    return place;
  }

  __device__ void note_phase(bool runs) {
    if (runs && !is_running_) __threadfence_system();  // the host may have changed the handler's state
    if ((runs != is_running_ || block_.phase == Phase::absent) && port_.block_lane() == 0)
      block_.phase = runs ? Phase::running : Phase::holding;
    is_running_ = runs;
  }

  /// True where the kernel has failed.
  __device__ bool handle(const Pick& picked) {
    const bool leads = port_.leads();
    const Opened opened = leads ? open(picked) : told();
    port_.begin(opened.head, opened.now_ns);
    const Message message(opened.head, opened.payload, port_.overrun());
    Delivery verdict = Delivery::unanswered;
    std::uint32_t failure = ControlBlock::none;
    const bool is_odd = leads && (port_.is_expired() || arguments_.window != 0 || arguments_.drops != 0);
    if (!is_odd || is_wanted(message, picked, verdict)) failure = call(message, verdict);
    if (!leads) return false;  // they leave when they are told to
    port_.verdict_if_asked(verdict);
    if (opened.is_long) __threadfence_system();  // it was read before its slot is free
    port_.sync_block();
    if (port_.block_lane() == 0)
      const_cast<volatile std::uint64_t&>(block_.next[Trays::source_of(picked.place)][picked.band]) =
          picked.index + 1;
    port_.sync_block();
    return failure != ControlBlock::none;
  }

  [[nodiscard]] __device__ Opened open(const Pick& picked) {
    const std::uint32_t source = Trays::source_of(picked.place);
    const std::uint32_t(&words)[Slot::kWords] = block_.trays.words[picked.place];
    const WireHead wire = *reinterpret_cast<const WireHead*>(words);
    Opened opened{};
    opened.now_ns = port_.now_ns();
    opened.head = head_at_kernel(wire, opened.now_ns);
    opened.head.id = message_id(arguments_.number, picked.band, picked.index, source != 0);
    opened.payload = reinterpret_cast<const std::byte*>(words + WireHead::kWords);
    opened.is_long = opened.head.bytes > Slot::kMostCellBytes || wire.is_plain();
    if (opened.is_long) {
      const std::byte* const slot = arguments_.inbox[source].slot(picked.index, picked.band);
      opened.head = open_long(slot, wire.is_plain(), opened.head);
      if (is_by_reference(opened.head)) {
        // The host's memory, which has the same address here. It may be longer than what can be fetched.
        const auto& reference = *reinterpret_cast<const BufferReference*>(opened.payload);
        opened.head.bytes = static_cast<std::uint32_t>(reference.bytes);
        opened.payload = reference.data;
      } else if (opened.head.bytes > Slot::kMostCellBytes) {
        opened.payload = source == 0 ? fetch(slot, opened.head.bytes) : slot + Slot::kPayload;
      }
    }
    return opened;
  }

  [[nodiscard]] __device__ Opened told() const {
    return {reinterpret_cast<const MessageHead&>(order_->head),
            order_->payload != nullptr ? order_->payload : order_->bytes, order_->begin_ns, false};
  }

  /// What the sender wrote before the cells is there behind this fence; and a head that is not in the cells.
  __device__ static __noinline__ MessageHead open_long(const std::byte* slot, bool has_head,
                                                       MessageHead head) {
    __threadfence_system();
    if (!has_head) return head;
    const std::uint64_t id = head.id;
    head = *reinterpret_cast<const MessageHead*>(slot + Slot::kPlain);
    if (head.id == 0) head.id = id;
    return head;
  }

  /// A long payload, from the host's memory into the device's, by all workers: a handler that reads it here
  /// and there would go over the bus each time.
  __device__ const std::byte* fetch(const std::byte* slot, std::uint32_t bytes) {
    bring(arguments_.payload, slot + Slot::kPayload, (bytes + 15) / 16,
          static_cast<std::uint32_t>(port_.block_lane()), static_cast<std::uint32_t>(port_.block_lanes()));
    port_.sync_block();
    return arguments_.payload;
  }

  __device__ static __noinline__ void bring(std::byte* to, const std::byte* from, std::uint32_t count,
                                            std::uint32_t lane, std::uint32_t lanes) {
    constexpr std::uint32_t kTogether = 4;  // on their way
    for (std::uint32_t first = lane; first < count; first += kTogether * lanes) {
      uint4 values[kTogether];
#pragma unroll
      for (std::uint32_t i = 0; i < kTogether; ++i)
        if (first + i * lanes < count) values[i] = bus_load(from + std::size_t{16} * (first + i * lanes));
#pragma unroll
      for (std::uint32_t i = 0; i < kTogether; ++i)
        if (first + i * lanes < count)
          *reinterpret_cast<uint4*>(to + std::size_t{16} * (first + i * lanes)) = values[i];
    }
  }

  /// False for a message that is to be dropped, came before or is too late; then `verdict` says so.
  __device__ bool is_wanted(const Message& message, const Pick& picked, Delivery& verdict) {
    if (arguments_.drops != 0 && Trays::source_of(picked.place) == 0 &&
        port_.any_worker(picked.index < block_.floors[picked.band])) {
      if (port_.block_lane() == 0) raise(block_.counts.dropped);
      verdict = Delivery::dropped;
    } else if (arguments_.window != 0 &&
               is_duplicate(block_, arguments_, port_.block_lane(), port_.block_lanes(), message.id())) {
      if (port_.block_lane() == 0) raise(block_.counts.duplicates);
      verdict = Delivery::duplicate;
    } else if (port_.is_expired()) {
      if (port_.block_lane() == 0) raise(block_.counts.expired);
      port_.bury(message.data());
      verdict = Delivery::expired;
    } else {
      return true;
    }
    return false;
  }

  /// Runs the handler; returns a ControlBlock::Failure, and what to tell whoever has no answer yet.
  __device__ std::uint32_t call(const Message& message, Delivery& verdict) {
    if (port_.has_followers() && port_.leads()) port_.tell(message);
    Context context(nullptr, &port_);
    static_cast<Handler*>(arguments_.state)->on_message(context, message);
    const std::uint32_t others = port_.has_followers() ? port_.part() : 0;
    std::uint32_t failure = ControlBlock::none;
    if (!port_.leads()) return failure;
    if (port_.has_objections() || others != 0) failure = objection(others, verdict);
    note(message.head().sent_ns);
    return failure;
  }

  __device__ std::uint32_t objection(std::uint32_t others, Delivery& verdict) {
    const std::uint32_t flags = port_.flags_of_all() | others;
    const std::uint32_t failure = (flags & DevicePort::kFailed) != 0    ? ControlBlock::by_handler
                                  : (flags & DevicePort::kOverran) != 0 ? ControlBlock::overrun
                                  : (flags & DevicePort::kTooLong) != 0 ? ControlBlock::too_long
                                                                        : ControlBlock::none;
    if ((flags & DevicePort::kRefused) != 0) verdict = Delivery::unknown_type;
    if (failure != ControlBlock::none) verdict = Delivery::failed;
    if (port_.block_lane() == 0 && flags != 0) {
      raise(block_.counts.errors);
      if (failure != ControlBlock::none) block_.failure = failure;
    }
    return failure;
  }

  /// Into the diary, how long the message waited and how long the handler ran.
  __device__ void note(std::int64_t sent_ns) {
    const std::int64_t now = port_.now_ns();
    Diary& diary = block_.diary;
    // Every few pages is often enough to look whether the clerk is that far.
    if (written_ % (Diary::kPages / 2) == 0)
      while (written_ - diary.read > Diary::kPages / 2) {
      }
    if (port_.block_lane() == 0) {
      volatile Diary::Page& page = diary.pages[written_ % Diary::kPages];
      page.waited_ns = port_.begin_ns() - sent_ns;
      page.ran_ns = now - port_.begin_ns();
      diary.written = written_ + 1;
      if (arguments_.tells_busy != 0) block_.busy_since_ns = 0;
    }
    ++written_;
  }

  /// By all lanes: looks for the id among the last ones, and remembers it.
  __device__ static __noinline__ bool is_duplicate(ResidentBlock& block, const ResidentArguments& arguments,
                                                   int lane, int lanes, std::uint64_t id) {
    const std::uint32_t size = arguments.window;
    ResidentMemory& memory = *arguments.memory;
    if (lane == 0) block.delivery = 0;
    Blocks::sync_block(lanes);
    for (auto i = static_cast<std::uint32_t>(lane); i < size; i += static_cast<std::uint32_t>(lanes))
      if (memory.window[i] == id) block.delivery = 1;
    Blocks::sync_block(lanes);
    const bool found = block.delivery != 0;
    if (!found && lane == 0) {
      memory.window[memory.window_next] = id;
      memory.window_next = memory.window_next + 1 == size ? 0 : memory.window_next + 1;
    }
    Blocks::sync_block(lanes);
    return found;
  }

  __device__ static void raise(std::uint64_t& count) {
    const_cast<volatile std::uint64_t&>(count) = count + 1;
  }

  ResidentBlock& block_;
  const ResidentArguments& arguments_;
  DevicePort port_;
  std::uint32_t written_;              // pages of the diary
  const BlockOrder* order_ = nullptr;  // what the first block told
  bool hosts_turn_ = true;
  bool is_running_ = false;
};

}  // namespace ringwave::ring::cuda
