// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"

namespace ringwave::ring::cuda {

/// The warp that looks for messages of one source, always, and puts what it finds on the trays.
///
/// A look loads, in one instruction, the next slot of every band, eight lanes each. Over the bus that takes
/// about a microsecond, and several in one go hardly more; but looks of several warps get in each other's
/// way. So there is one warp, and where messages are waiting its look brings those that come next as well.
/// The host's looker also hears what the host commands.
///
/// What is looked at is written by senders and read by nobody else, so that looking slows no sender down. A
/// message is settled when it was handled; until then it is in its slot, whatever becomes of the trays.
template <std::uint32_t kSource>
class Looker {
 public:
  __device__ Looker(ResidentBlock& block, const ResidentArguments& arguments)
      : block_(block),
        arguments_(arguments),
        ring_(arguments.inbox[kSource]),
        lane_(threadIdx.x % 32),
        group_(threadIdx.x % 32 / 8) {}

  /// Until the workers have left. [ring]
  __device__ void run() {
    std::uint32_t quiet = 0;
    bool was_there = false;
    for (std::uint32_t round = 0; __any_sync(kAll, block_.leaving != 0) == 0; ++round) {
      const bool is_there = look(round);
      if (is_there && was_there)
        while (look_further()) {
        }
      was_there = is_there;
      quiet = is_there ? 0 : quiet + 1;
      if (kSource == 0 && lane_ == 0) block_.polls = round;
      if (quiet > kAwake) __nanosleep(kNapNs);
    }
  }

 private:
  static constexpr std::uint32_t kAll = ~0U;
  static constexpr std::uint32_t kAwake = 1U << 20U;  // looks without a message until it naps: about a second
  static constexpr unsigned kNapNs = 500;
  static constexpr std::uint32_t kFirstPlace = kSource == 0 ? 0 : Trays::kHostPlaces;
  static constexpr std::uint32_t kAhead = kSource == 0 ? Trays::kHostAhead : Trays::kPeerAhead;
  static constexpr std::uint32_t kLoads = kBands * kAhead / 4;
  static constexpr std::uint32_t kPapers = 8;  // looks from one look at the papers to the next

  /// At the next slot of every band; true where that brought a message, or one still waits to be handled.
  __device__ bool look(std::uint32_t round) {
    const std::uint64_t next = next_for(group_, 8 * group_);
    if (next != index_ || from_ == nullptr) {
      index_ = next;
      from_ = slot_of(group_, next);
      epoch_ = ring_.epoch(next);
    }
    const uint4 value = bus_load(from_);
    if (kSource == 0 && (round % kPapers == 0 || !is_running_)) read_papers(look_at_papers());
    const std::uint32_t seen = __ballot_sync(kAll, value.w == epoch_);
    return seen != 0 && take(value, seen);
  }

  /// The same, and at the slots after them.
  __device__ bool look_further() {
    index_ = next_for(group_, 8 * group_);
    epoch_ = ring_.epoch(index_);
    from_ = slot_of(group_, index_);
    const uint4 value = bus_load(from_);
    uint4 values[kLoads];
    std::uint64_t indices[kLoads];
#pragma unroll
    for (std::uint32_t i = 0; i < kLoads; ++i) {
      indices[i] = next_for(band_of_load(i), 8 * (group_ - group_ % kAhead)) + 1 + group_ % kAhead;
      values[i] = bus_load(slot_of(band_of_load(i), indices[i]));
    }
    if (kSource == 0) read_papers(look_at_papers());
    const std::uint32_t seen = __ballot_sync(kAll, value.w == epoch_);
    bool found = seen != 0 && take(value, seen);
#pragma unroll
    for (std::uint32_t i = 0; i < kLoads; ++i)
      found = take_ahead(band_of_load(i), indices[i], values[i]) || found;
    return found && __any_sync(kAll, block_.leaving != 0) == 0;
  }

  /// The band whose later messages a group looks at with its load `i`.
  [[nodiscard]] __device__ std::uint32_t band_of_load(std::uint32_t i) const {
    return (4 * i + group_) / kAhead;
  }

  /// Of the groups of lanes, those that have the next message of their band, now or since a while; true where
  /// there are any.
  __device__ bool take(const uint4& value, std::uint32_t seen) {
    const std::uint32_t place = kFirstPlace + group_;
    // What the first lane of the group saw, again.
    const std::uint32_t is_mine =
        (is_there(value, seen) && index_ == next_of(group_) ? 1U : 0U) | (is_full(place) ? 2U : 0U);
    const std::uint32_t finding = __shfl_sync(kAll, is_mine, static_cast<int>(8 * group_));
    if (finding == 1) fill(place, value, group_, index_);
    publish(place, finding == 1);
    return __any_sync(kAll, (finding & 1U) != 0) != 0;
  }

  /// A message that comes after the next one, if its place is empty; true where any group had one.
  __device__ bool take_ahead(std::uint32_t band, std::uint64_t index, const uint4& value) {
    const std::uint32_t seen = __ballot_sync(kAll, value.w == ring_.epoch(index));
    if (seen == 0) return false;
    const std::uint32_t place =
        kFirstPlace + kBands + band * kAhead + static_cast<std::uint32_t>(index) % kAhead;
    const std::uint32_t is_mine = (is_there(value, seen) ? 1U : 0U) | (is_full(place) ? 2U : 0U);
    const std::uint32_t finding = __shfl_sync(kAll, is_mine, static_cast<int>(8 * group_));
    if (finding == 1) fill(place, value, band, index);
    publish(place, finding == 1);
    return __any_sync(kAll, (finding & 1U) != 0) != 0;
  }

  [[nodiscard]] __device__ std::uint64_t next_of(std::uint32_t band) const {
    return const_cast<volatile std::uint64_t&>(block_.next[kSource][band]);
  }
  /// The same, as one lane saw it: the workers may be writing while the lanes look.
  [[nodiscard]] __device__ std::uint64_t next_for(std::uint32_t band, std::uint32_t lane) const {
    return __shfl_sync(kAll, next_of(band), static_cast<int>(lane));
  }
  [[nodiscard]] __device__ bool is_full(std::uint32_t place) const {
    return const_cast<volatile std::uint32_t&>(block_.trays.full[place]) != 0;
  }
  /// Where the lane's cell of a message is.
  [[nodiscard]] __device__ const std::byte* slot_of(std::uint32_t band, std::uint64_t index) const {
    return ring_.slot(index, band) + Slot::kCellBytes * (lane_ % 8);
  }

  /// True in the lanes whose group has the whole of a message; `seen` are those with cells of the right
  /// epoch.
  [[nodiscard]] __device__ bool is_there(const uint4& value, std::uint32_t seen) const {
    // Of another epoch, what the first word says is not believed: its cell is among those that must be whole.
    const std::uint32_t word = __shfl_sync(kAll, value.x, static_cast<int>(8 * group_));
    const std::uint32_t needed = (1U << Slot::cells(WireHead::bytes_of(word))) - 1;
    return (seen >> 8 * group_ & needed) == needed;
  }

  __device__ void fill(std::uint32_t place, const uint4& value, std::uint32_t band, std::uint64_t index) {
    volatile std::uint32_t* const words = block_.trays.words[place] + Slot::kCellWords * (lane_ % 8);
    words[0] = value.x;
    words[1] = value.y;
    words[2] = value.z;
    if (lane_ % 8 != 0) return;
    const_cast<volatile std::uint32_t&>(block_.trays.index[place]) = static_cast<std::uint32_t>(index);
    const_cast<volatile std::uint32_t&>(block_.trays.band[place]) = band;
  }

  /// Shows the workers what was filled. Shared memory does a warp's stores in their order: whoever sees the
  /// last of them sees the others.
  __device__ void publish(std::uint32_t place, bool is_filled) {
    __syncwarp();
    if (is_filled && lane_ % 8 == 0) const_cast<volatile std::uint32_t&>(block_.trays.full[place]) = 1;
  }

  /// What the host commands, in lane 0, and what is to be dropped, in lanes 1 and 2: they follow each other.
  __device__ uint4 look_at_papers() const {
    static_assert(offsetof(ControlBlock, command) == 0 && offsetof(ControlBlock, floors) == 16);
    return bus_load(reinterpret_cast<const std::byte*>(arguments_.control) + 16 * (lane_ < 3 ? lane_ : 0));
  }

  __device__ void read_papers(const uint4& papers) {
    const std::uint64_t low = std::uint64_t{papers.y} << 32U | papers.x;
    const std::uint64_t high = std::uint64_t{papers.w} << 32U | papers.z;
    if (lane_ == 0) {
      if (papers.x == ControlBlock::kKill) __trap();
      if (papers.y != ping_) answer_ping(*arguments_.control, papers.y);
      ping_ = papers.y;
      block_.clock_offset_ns = static_cast<std::int64_t>(high);
      if (arguments_.blocks > 1 && papers.x != block_.command)
        const_cast<volatile std::uint32_t&>(arguments_.blocks_memory->command) = papers.x;
      block_.command = papers.x;
    }
    if (lane_ == 1 || lane_ == 2) {
      block_.floors[2 * (lane_ - 1)] = low;
      block_.floors[2 * (lane_ - 1) + 1] = high;
    }
    is_running_ = __shfl_sync(kAll, papers.x, 0) == static_cast<std::uint32_t>(Command::run);
  }

  __device__ static __noinline__ void answer_ping(ControlBlock& control, std::uint32_t ping) {
    const auto now = static_cast<std::uint64_t>(device_now_ns());
    static_assert(offsetof(ControlBlock, pong) == offsetof(ControlBlock, pong_ns) + 8);
    bus_store(&control.pong_ns,
              make_uint4(static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32U), ping, 0));
  }

  ResidentBlock& block_;
  const ResidentArguments& arguments_;
  const WireRing& ring_;
  std::uint32_t lane_;
  std::uint32_t group_;  // of eight lanes, for one slot

  // The slot that the group looks at.
  std::uint64_t index_ = 0;
  const std::byte* from_ = nullptr;
  std::uint32_t epoch_ = 0;

  std::uint32_t ping_ = 0;
  bool is_running_ = false;  // what the host commands
};

}  // namespace ringwave::ring::cuda
