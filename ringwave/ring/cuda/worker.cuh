// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/buffer_reference.hpp"
#include "ringwave/ring/context.hpp"
#include "ringwave/ring/cuda/device_port.cuh"
#include "ringwave/ring/message_id.hpp"

namespace ringwave::ring::cuda {

/// The warps that handle messages: the first one looks for them, all run the handler. In a kernel of several
/// blocks the first block does that, and has the others run the handler with it.
///
/// A look loads the next slot of every band, of the host's messages and of other kernels', eight lanes each:
/// two instructions. What is looked at is written by senders and read by nobody else. A message
/// is settled when it was handled; until then it is in its slot, whatever becomes of the block.
///
/// A lone warp takes some nanoseconds for every instruction, and more for those it has not run lately: the
/// way of a message that is neither late nor long is short, and there is one copy of it. A kernel that is one
/// warp (`kLone`) has a way without all that is for several.
template <class Handler, bool kLone>
class Worker {
 public:
  __device__ Worker(ResidentBlock& block, const ResidentArguments& arguments, int workers)
      : block_(block),
        arguments_(arguments),
        port_(block, arguments, kLone ? 32 : workers, kLone ? 1 : static_cast<int>(arguments.blocks)),
        written_(block.diary.written) {}

  /// Until the kernel is to end, or has failed. [ring]
  __device__ void run() {
    if (port_.gather()) {
      if (port_.leads()) {
        go_on(0);
        go_on(1);
      }
      Pick picked = next();
      while (picked.source != kLeave && !handle(picked)) picked = next();
    }
    port_.finish();
  }

 private:
  static constexpr std::uint32_t kAll = ~0U;
  static constexpr std::uint32_t kSources = 2;  // the host, and other kernels
  // Instead of a source: nothing was found, the kernel is to end, another block has found a message.
  static constexpr std::uint32_t kNone = kSources;
  static constexpr std::uint32_t kLeave = kSources + 1;
  static constexpr std::uint32_t kTold = kSources + 2;
  static constexpr std::uint32_t kAwake = 1U << 22U;  // looks without a message until it naps: about a second
  static constexpr unsigned kNapNs = 500;

  /// A message that was found; its words are in `ResidentBlock::words`.
  struct Pick {
    std::uint32_t source;
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
      picked.source = order_ != nullptr ? kTold : kLeave;
      return picked;
    }
    if (port_.block_lane() < 32)
      for (std::uint32_t quiet = 0; picked.source == kNone; ++quiet) {
        picked = look();
        if (quiet > kAwake) __nanosleep(kNapNs);
      }
    if (port_.block_lanes() == 32) return picked;
    if (port_.block_lane() == 0) {
      block_.pick = picked.source << 8U | picked.band;
      block_.index = picked.index;
    }
    port_.sync_block();
    const std::uint32_t pick = const_cast<volatile std::uint32_t&>(block_.pick);
    return {pick >> 8U, pick & 0xffU, const_cast<volatile std::uint64_t&>(block_.index)};
  }

  /// The first warp looks once. Of two sources in one band the one that was not served last goes first.
  __device__ Pick look() {
    const uint4 hosts = bus_load(from_[0]);
    const uint4 others = bus_load(from_[1]);
    const std::uint32_t command = block_.command;
    const std::uint32_t seen_hosts = __ballot_sync(kAll, hosts.w == epoch_[0]);
    const std::uint32_t seen_others = __ballot_sync(kAll, others.w == epoch_[1]);
    if (port_.block_lane() == 0) block_.polls = ++looks_;
    const bool is_held = command != static_cast<std::uint32_t>(Command::run) || !is_running_;
    if (is_held) {
      if (command >= static_cast<std::uint32_t>(Command::end)) return {kLeave, 0, 0};
      note_phase(command == static_cast<std::uint32_t>(Command::run));
      if (arguments_.drops == 0) return {kNone, 0, 0};
    }
    if ((seen_hosts | seen_others) == 0) return {kNone, 0, 0};
    // What is to be dropped makes room also while the kernel holds.
    const std::uint32_t found_hosts = whole_bands(hosts, seen_hosts, !is_held || is_below_floor());
    const std::uint32_t found_others = whole_bands(others, seen_others, !is_held);
    if ((found_hosts | found_others) == 0) return {kNone, 0, 0};
    const int hosts_band = 31 - __clz(static_cast<int>(found_hosts));  // -1: none
    const int others_band = 31 - __clz(static_cast<int>(found_others));
    const bool is_hosts = hosts_band > others_band || (hosts_band == others_band && hosts_turn_);
    hosts_turn_ = !is_hosts;
    const auto band = static_cast<std::uint32_t>(is_hosts ? hosts_band : others_band);
    keep(is_hosts ? hosts : others, band);
    const std::uint32_t source = is_hosts ? 0 : 1;
    return {source, band, block_.next[source][band]};
  }

  /// Bands whose next message is there as a whole, a bit each; `seen` are the lanes with cells of its epoch.
  __device__ static std::uint32_t whole_bands(const uint4& value, std::uint32_t seen, bool may_go) {
    const std::uint32_t lane = threadIdx.x % 32;
    const std::uint32_t needed = needed_cells(value, lane / 8);
    const bool is_whole = may_go && (seen >> lane / 8 * 8 & needed) == needed;
    const std::uint32_t whole = __ballot_sync(kAll, is_whole);
    return (whole & 1U) | (whole >> 7U & 2U) | (whole >> 14U & 4U) | (whole >> 21U & 8U);
  }

  /// Of the lane's band: what the host sent next is to be dropped.
  [[nodiscard]] __device__ bool is_below_floor() const {
    const std::uint32_t band = threadIdx.x % 32 / 8;
    return block_.next[0][band] < block_.floors[band];
  }

  /// For all workers: the words of the message, from the lanes that have them.
  __device__ void keep(const uint4& value, std::uint32_t band) {
    const std::uint32_t lane = threadIdx.x % 32;
    if (lane / 8 == band) {
      std::uint32_t* const words = block_.words + Slot::kCellWords * (lane % 8);
      words[0] = value.x;
      words[1] = value.y;
      words[2] = value.z;
    }
    __syncwarp();
  }

  /// Looks at the next message of the lane's band from here on.
  __device__ void go_on(std::uint32_t source) {
    const std::uint32_t lane = threadIdx.x % 32;
    const WireRing& ring = arguments_.inbox[source];
    const std::uint64_t index = const_cast<volatile std::uint64_t&>(block_.next[source][lane / 8]);
    const std::byte* const from = ring.slot(index, lane / 8) + Slot::kCellBytes * (lane % 8);
    // By constants: an array that is reached by a variable is not in registers.
    if (source == 0) {
      from_[0] = from;
      epoch_[0] = ring.epoch(index);
    } else {
      from_[1] = from;
      epoch_[1] = ring.epoch(index);
    }
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
    __threadfence_block();  // what was read is read before the clerk knows
    port_.sync_block();
    if (port_.block_lane() == 0)
      const_cast<volatile std::uint64_t&>(block_.next[picked.source][picked.band]) = picked.index + 1;
    port_.sync_block();
    if (port_.block_lane() < 32) go_on(picked.source);
    return failure != ControlBlock::none;
  }

  [[nodiscard]] __device__ Opened open(const Pick& picked) {
    const WireHead wire = *reinterpret_cast<const WireHead*>(block_.words);
    Opened opened{};
    opened.now_ns = port_.now_ns();
    opened.head = head_at_kernel(wire, opened.now_ns);
    opened.head.id = message_id(arguments_.number, picked.band, picked.index, picked.source != 0);
    opened.payload = reinterpret_cast<const std::byte*>(block_.words + WireHead::kWords);
    opened.is_long = opened.head.bytes > Slot::kMostCellBytes || wire.is_plain();
    if (opened.is_long) {
      // Behind this is what the sender wrote before the cells.
      (void)bus_load_acquire(arguments_.inbox[picked.source].slot(picked.index, picked.band));
      const bool is_in_mail = picked.source == 0 && arguments_.mail.slots != nullptr;
      const WireRing& ring = is_in_mail ? arguments_.mail : arguments_.inbox[picked.source];
      const std::byte* const slot = ring.slot(picked.index, picked.band);
      if (wire.is_plain()) opened.head = plain_head(slot, opened.head);
      if (is_by_reference(opened.head)) {
        // The host's memory, which has the same address here. It may be longer than what can be fetched.
        const auto& reference = *reinterpret_cast<const BufferReference*>(opened.payload);
        opened.head.bytes = static_cast<std::uint32_t>(reference.bytes);
        opened.payload = reference.data;
      } else if (opened.head.bytes > Slot::kMostCellBytes) {
        opened.payload = is_in_mail ? fetch(slot, opened.head.bytes) : slot + Slot::kPayload;
      }
    }
    return opened;
  }

  [[nodiscard]] __device__ Opened told() const {
    return {reinterpret_cast<const MessageHead&>(order_->head),
            order_->payload != nullptr ? order_->payload : order_->bytes, order_->begin_ns, false};
  }

  /// A head that is not in the cells.
  __device__ static __noinline__ MessageHead plain_head(const std::byte* slot, MessageHead head) {
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
    if (arguments_.drops != 0 && picked.source == 0 &&
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

  // The lane's cell of the next slot of its band, of each source; and the epoch in which it is written.
  const std::byte* from_[kSources] = {};
  std::uint32_t epoch_[kSources] = {};
  std::uint32_t looks_ = 0;
  bool hosts_turn_ = true;
  bool is_running_ = false;
};

}  // namespace ringwave::ring::cuda
