// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"

namespace ringwave::ring::cuda {

/// The warp that brings messages of one source into shared memory, always looking.
///
/// A look loads, in one instruction, the slot where the next message is expected: lanes 0 to 15, 16 bytes
/// each. Every eighth look, or every other where many messages flow, is a wide one: it brings also the
/// beginning of the next slot of each band (16 to 19) and of the one after the expected (20), what the host
/// commands (21) and what is to be dropped (22, 23): the bus takes its time for every line. Two looks are on
/// their way at a time, and a message that just missed one is seen by the other; loads that promise to see
/// what others write gain nothing from more. Nothing here waits for all that is on its way, as a fence would.
/// What is looked at is written by senders and read by nobody else, so that looking slows no sender down.
///
/// A message found in its expected slot costs one trip. In another band it costs a second one, because only
/// its beginning was seen; with several waiting, the second trip brings up to kBurst of them.
///
/// A lone warp takes some nanoseconds for every instruction. So all that can be known before a message comes
/// is worked out before: where to look, what epoch to find there, where to put it.
class Carrier {
 public:
  __device__ Carrier(ResidentBlock& block, const ResidentArguments& arguments, std::uint32_t source)
      : block_(block),
        arguments_(arguments),
        inbox_(source == 0 ? arguments.inbox : arguments.peerbox),
        source_(source),
        lane_(threadIdx.x % 32) {
    if (keeps_band()) {
      next_ = block_.next[source_][lane_ - 16];
      staged_ = block_.stage.staged[source_][lane_ - 16];
    }
    expect(1);
  }

  /// Until the workers have left. [ring]
  __device__ void run() {
    Look first = look(true);
    Look second = look(false);
    std::uint32_t quiet = 0;
    std::uint64_t polls = block_.polls[source_];
    while (__any_sync(kAll, block_.leaving != 0) == 0) {
      const bool found = digest(first);
      first = look(several_ || polls % 4 == 0);  // where many flow, there may be higher ones
      const bool found_too = digest(second);
      second = look(false);
      if (several_) burst();
      quiet = found || found_too ? 0 : quiet + 1;
      ++polls;
      if (lane_ == 0) block_.polls[source_] = polls;
      if (quiet > kAwake) __nanosleep(kNapNs);
    }
  }

 private:
  static constexpr std::uint32_t kAll = ~0U;
  static constexpr std::uint32_t kBurst = 8;          // slots of one trip; two for each load of the warp
  static constexpr std::uint32_t kAwake = 1U << 19U;  // looks without a message until it naps: about a second
  static constexpr unsigned kNapNs = 500;
  static constexpr std::uint32_t kBehind = 20;   // the lane that looks at the slot after the expected one
  static constexpr std::uint32_t kCommand = 21;  // the one that looks at the command
  static constexpr std::uint32_t kFloors = 22;   // the first of two that look at the floors

  struct Look {
    uint4 value;
    const std::byte* from;  ///< where the lane looked; null where it did not
  };

  [[nodiscard]] __device__ bool keeps_band() const { return lane_ >= 16 && lane_ < 16 + kBands; }

  __device__ Look look(bool is_wide) const {
    Look look{};
    if (lane_ < 16 || is_wide) look.from = from_;
    if (look.from != nullptr) look.value = bus_load(look.from);
    return look;
  }

  /// What a look brought; true where that was a message.
  __device__ bool digest(const Look& look) {
    const uint4& value = look.value;
    // What an older plan looked at says nothing about the slots of this one.
    const bool is_slot =
        lane_ <= kBehind && look.from == from_ && value.y == epoch_ && (value.w == epoch_ || lane_ >= 16);
    const bool is_command =
        lane_ == kCommand && look.from != nullptr &&
        (value.x != command_ || value.y != ping_ || value.z != offset_.x || value.w != offset_.y);
    const std::uint32_t seen = __ballot_sync(kAll, is_slot || is_command);
    if (inbox_.floor != nullptr) read_floors(look);
    if (seen == 0) return false;
    const bool found = (seen & 0x1fffff) != 0 && find(value, seen);
    if (is_command) read_command(value);
    return found;
  }

  __device__ bool find(const uint4& value, std::uint32_t seen) {
    const std::uint32_t begun = seen >> 16U & 15U;
    const bool found = (seen & 1U) != 0 && take(value, 0, seen);
    if (found) {
      several_ = several_ || (seen >> kBehind & 1U) != 0;
      plan();
    }
    // In the highest band that has room for a message that begins, there is more to see.
    if ((begun & ~(1U << band_)) != 0 || (begun != 0 && room_ == 0)) change_band(begun, found);
    return found;
  }

  __device__ void change_band(std::uint32_t begun, bool has_taken) {
    if (has_taken)
      begun &= ~((2U << band_) - 1);  // of the expected band it was just taken; only a higher one matters
    const bool is_ready = keeps_band() && (begun >> (lane_ - 16) & 1U) != 0 &&
                          (staged_ - handled(lane_ - 16) < kStage || next_ < floor_);
    const std::uint32_t ready = __ballot_sync(kAll, is_ready) >> 16U;
    if (ready == 0) return;
    const std::uint32_t band = 31U - static_cast<std::uint32_t>(__clz(static_cast<int>(ready)));
    if (band != band_ || room_ == 0) expect(band);
  }

  /// Makes a band the expected one.
  __device__ void expect(std::uint32_t band) {
    band_ = band;
    index_ = __shfl_sync(kAll, next_, 16 + static_cast<int>(band));
    count_ = __shfl_sync(kAll, staged_, 16 + static_cast<int>(band));
    plan();
  }

  /// Works out the next look, and where its message will go.
  __device__ void plan() {
    const std::uint64_t index = lane_ < 16 ? index_ : lane_ == kBehind ? index_ + 1 : next_;
    const std::byte* from = inbox_.slot(keeps_band() ? lane_ - 16 : band_, index);
    if (lane_ < 16) from += 16 * lane_;
    if (lane_ > kBehind) from = nullptr;
    if (lane_ == kCommand && source_ == 0)
      from = reinterpret_cast<const std::byte*>(&arguments_.control->command);
    if (lane_ >= kFloors && lane_ < kFloors + 2 && inbox_.floor != nullptr)
      from = reinterpret_cast<const std::byte*>(inbox_.floor + 2 * (lane_ - kFloors));
    from_ = from;
    epoch_ = inbox_.epoch(index);
    place_ = &block_.stage.places[source_][band_][count_ % kStage];
    room_ = room_now();
  }

  [[nodiscard]] __device__ std::uint32_t room_now() const {
    return __shfl_sync(kAll, kStage - (count_ - handled(band_)), 0);
  }

  [[nodiscard]] __device__ std::uint32_t handled(std::uint32_t band) const {
    return const_cast<volatile std::uint32_t&>(block_.stage.handled[source_][band]);
  }

  /// True where lanes first to first + 15, of which those in `whole` have cells of the right epoch, hold the
  /// next message; then it is staged, or dropped.
  __device__ bool take(const uint4& value, std::uint32_t first, std::uint32_t whole) {
    constexpr std::uint32_t kBytesWord = 9;  // MessageHead::bytes
    const std::uint32_t bytes = __shfl_sync(kAll, value.z, static_cast<int>(first + kBytesWord / 2));
    // Of another epoch, what `bytes` says is not believed: its own cell is among those that must be whole.
    const std::uint32_t needed = (1U << Slot::cells(bytes) / 2) - 1;
    if ((whole >> first & needed) != needed) return false;
    if (inbox_.floor != nullptr && is_dropped()) {
      drop(block_, arguments_, source_, value, static_cast<int>(first));
    } else {
      if (room_ == 0) room_ = room_now();
      if (room_ == 0) return false;
      stage(value, lane_ - first, bytes);
      --room_;
    }
    ++index_;
    if (lane_ == 16 + band_) {
      next_ = index_;
      staged_ = count_;
      const_cast<volatile std::uint64_t&>(block_.next[source_][band_]) = index_;
    }
    return true;
  }

  __device__ void stage(const uint4& value, std::uint32_t chunk, std::uint32_t bytes) {
    if (chunk < 16)
      *reinterpret_cast<volatile std::uint64_t*>(place_->words + 2 * chunk) =
          std::uint64_t{value.z} << 32U | value.x;
    if (bytes > Slot::kMostCellBytes) mark_long(*place_, index_, inbox_.slot(band_, index_) + Slot::kPayload);
    // Shared memory does a warp's stores in their order: whoever sees the count sees the message. A fence
    // would say the same and wait for the look that is on its way.
    __syncwarp();
    ++count_;
    if (lane_ == 0) const_cast<volatile std::uint32_t&>(block_.stage.staged[source_][band_]) = count_;
  }

  /// The sender wrote a long payload before the cells; behind this fence it is there.
  __device__ static __noinline__ void mark_long(Staged& staged, std::uint64_t index,
                                                const std::byte* payload) {
    const_cast<volatile std::uint64_t&>(staged.index) = index;
    const_cast<const std::byte* volatile&>(staged.raw) = payload;
    __threadfence_system();
  }

  /// Floors are four numbers of 64 bits in two lanes; each lane that keeps a band gets its own.
  __device__ void read_floors(const Look& look) {
    const uint4& value = look.value;
    if (!__any_sync(kAll, lane_ == kFloors && look.from != nullptr)) return;
    const int from = static_cast<int>(kFloors + lane_ % kBands / 2);
    const std::uint32_t x = __shfl_sync(kAll, value.x, from);
    const std::uint32_t y = __shfl_sync(kAll, value.y, from);
    const std::uint32_t z = __shfl_sync(kAll, value.z, from);
    const std::uint32_t w = __shfl_sync(kAll, value.w, from);
    floor_ = lane_ % 2 == 0 ? std::uint64_t{y} << 32U | x : std::uint64_t{w} << 32U | z;
  }

  [[nodiscard]] __device__ bool is_dropped() const {
    return __shfl_sync(kAll, static_cast<int>(index_ < floor_), 16 + static_cast<int>(band_)) != 0;
  }

  /// By the lane that loaded it: command, ping and the offset of the clocks.
  __device__ void read_command(const uint4& value) {
    if (value.y != ping_) answer_ping(*arguments_.control, value.y);
    command_ = value.x;
    ping_ = value.y;
    offset_ = make_uint2(value.z, value.w);
    block_.clock_offset_ns = static_cast<std::int64_t>(std::uint64_t{value.w} << 32U | value.z);
    block_.command = value.x;
    if (value.x == ControlBlock::kKill) __trap();
  }

  __device__ static __noinline__ void answer_ping(ControlBlock& control, std::uint32_t ping) {
    bus_store64(&control.pong_ns, static_cast<std::uint64_t>(device_now_ns()));
    __threadfence_system();
    bus_store32(&control.pong, ping);
  }

  /// The host wants it gone; whoever waits for its answer is told.
  __device__ static __noinline__ void drop(ResidentBlock& block, const ResidentArguments& arguments,
                                           std::uint32_t source, uint4 value, int first) {
    // Words 2 and 3 are the correlation; the last byte of word 11 is the flags.
    const std::uint64_t low = __shfl_sync(kAll, value.x, first + 1);
    const std::uint64_t high = __shfl_sync(kAll, value.z, first + 1);
    const std::uint32_t last = __shfl_sync(kAll, value.z, first + 5);
    if (threadIdx.x % 32 == 0) {
      ++block.carrier_dropped[source];
      if ((last >> 24U & MessageHead::kRequest) != 0) tell_dropped(arguments, high << 32U | low);
    }
    __syncwarp();
  }

  __device__ static void tell_dropped(const ResidentArguments& arguments, std::uint64_t correlation) {
    MessageHead head;
    head.correlation = correlation;
    head.type = static_cast<std::uint32_t>(Delivery::dropped);
    head.flags = MessageHead::kVerdict;
    std::uint32_t words[Slot::kHeadCells];
    memcpy(words, &head, sizeof head);
    std::byte* const slot = arguments.desk + ((correlation & 0xffffU) - 1) * arguments.desk_stride;
    const auto epoch = static_cast<std::uint32_t>(correlation >> 16U);
    for (std::uint32_t i = 0; i < Slot::kHeadCells; i += 2)
      bus_store(slot + 8 * i, make_uint4(words[i], epoch, words[i + 1], epoch));
  }

  /// Up to kBurst messages of the expected band in one trip.
  __device__ void burst() {
    uint4 a = load_pair(0);
    uint4 b = load_pair(2);
    uint4 c = load_pair(4);
    uint4 d = load_pair(6);
    several_ = false;
#pragma unroll 1
    for (std::uint32_t i = 0; i < kBurst; ++i) {
      const std::uint32_t epoch = inbox_.epoch(index_);
      const std::uint32_t whole = __ballot_sync(kAll, a.y == epoch && a.w == epoch);
      if (!take(a, i % 2 * 16, whole)) break;
      several_ = i + 1 == kBurst;
      place_ = &block_.stage.places[source_][band_][count_ % kStage];
      if (i % 2 == 0) continue;
      a = b;
      b = c;
      c = d;
    }
    plan();
  }

  /// Two slots, `ahead` behind the next one.
  __device__ uint4 load_pair(std::uint32_t ahead) const {
    return bus_load(inbox_.slot(band_, index_ + ahead + lane_ / 16) + 16 * (lane_ % 16));
  }

  ResidentBlock& block_;
  const ResidentArguments& arguments_;
  const WireInbox& inbox_;
  std::uint32_t source_;
  std::uint32_t lane_;

  // The plan, which all lanes know.
  std::uint32_t band_ = 1;   // that is expected
  std::uint64_t index_ = 0;  // of the next message there
  std::uint32_t count_ = 0;  // of messages staged there
  std::uint32_t room_ = 0;   // for so many more
  Staged* place_ = nullptr;  // for the next one
  bool several_ = false;     // wait there
  // And what is the lane's own in it.
  const std::byte* from_ = nullptr;
  std::uint32_t epoch_ = 0;

  // Of the lane that keeps a band.
  std::uint64_t next_ = 0;
  std::uint64_t floor_ = 0;
  std::uint32_t staged_ = 0;
  // Of the lane that looks at the command.
  std::uint32_t command_ = 0;
  std::uint32_t ping_ = 0;
  uint2 offset_{};
};

}  // namespace ringwave::ring::cuda
