// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"

namespace ringwave::ring::cuda {

/// The warp that brings messages of one source into shared memory, always looking.
///
/// One look loads, in one instruction, the slot where the next message is expected (lanes 0 to 15, 16 bytes
/// each), how many messages senders have claimed in each band (16, 17), what the host commands (18) and
/// what is to be dropped (20, 21). Two looks are on their way at a time: the bus takes a microsecond, and a
/// message that just missed one is seen by the other.
///
/// A message found in its expected slot costs one trip. In another band it costs a second one, because only
/// its count was seen; with several waiting, the second trip brings up to kBurst of them.
class Carrier {
 public:
  __device__ Carrier(ResidentBlock& block, int source)
      : block_(block),
        arguments_(block.arguments),
        inbox_(source == 0 ? block.arguments.inbox : block.arguments.peerbox),
        source_(source),
        lane_(threadIdx.x & 31U) {
#pragma unroll
    for (std::uint32_t band = 0; band < kBands; ++band) {
      next_[band] = arguments_.memory->next[source][band];
      if (source == 0 && arguments_.skip[band] > next_[band]) next_[band] = arguments_.skip[band];
      tail_[band] = next_[band];
      freed_[band] = settled_[band] = ~std::uint64_t{0};  // to be told
      staged_[band] = block_.stage.staged[source][band];
    }
    see_handled();
  }

  /// Until the workers have left. [ring]
  __device__ void run() {
    Look first = look();
    Look second = look();
    std::uint32_t quiet = 0;
    while (__shfl_sync(~0U, block_.leaving, 0) == 0) {
      const bool found = digest(first);
      first = look();
      const bool found_too = digest(second);
      second = look();
      quiet = found || found_too ? 0 : quiet + 1;
      publish(quiet);
      if (quiet > kAwake) __nanosleep(kNap);
    }
    __syncwarp();
    see_handled();
    tell_progress();
    if (lane_ < kBands) {
      std::uint64_t next = next_[0];
      for (std::uint32_t band = 1; band < kBands; ++band)
        if (lane_ == band) next = next_[band];
      arguments_.memory->next[source_][lane_] = next;
    }
  }

 private:
  static constexpr int kBurst = 8;  // slots of one trip; two for each load of the warp
  static constexpr std::uint32_t kAwake = 1U
                                          << 22U;  // looks without a message until the carrier naps: seconds
  static constexpr unsigned kNap = 500;            // ns

  struct Look {
    uint4 value;
    std::uint32_t band;
    std::uint64_t index;
  };

  /// The highest band in which a message waits; where none does, that of the last message, in which the next
  /// one is likely.
  __device__ std::uint32_t expected_band() const {
    std::uint32_t band = last_band_;
#pragma unroll
    for (std::uint32_t b = 0; b < kBands; ++b)
      if (tail_[b] != next_[b] && has_room(b)) band = b;
    return band;
  }

  __device__ bool has_room(std::uint32_t band) const {
    return staged_[band] - handled_[band] < kStage;
  }

  /// How far the workers are; every lane goes by the same look.
  __device__ void see_handled() {
    const volatile std::uint32_t* const handled = block_.stage.handled[source_];
    const std::uint32_t mine = lane_ < kBands ? handled[lane_] : 0;
#pragma unroll
    for (int band = 0; band < static_cast<int>(kBands); ++band) handled_[band] = __shfl_sync(~0U, mine, band);
  }

  __device__ Look look() const {
    Look look{};
    look.band = expected_band();
    look.index = next_[look.band];
    const void* from = nullptr;
    if (lane_ < 16)
      from = inbox_.slot(look.band, look.index) + 16 * lane_;
    else if (lane_ < 18)
      from = inbox_.tail + 2 * (lane_ - 16);
    else if (lane_ == 18 && source_ == 0)
      from = &arguments_.control->command;
    else if (lane_ >= 20 && lane_ < 22 && inbox_.floor != nullptr)
      from = inbox_.floor + 2 * (lane_ - 20);
    if (from != nullptr) look.value = bus_load(from);
    return look;
  }

  /// What a look brought; true where that was a message.
  __device__ bool digest(const Look& look) {
    see_handled();
    read_counts(look.value);
    if (source_ == 0) read_command(look.value);
    bool found = false;
    if (look.index == next_[look.band]) found = take(look.value, 0, look.band);
    const std::uint32_t band = expected_band();
    if (tail_[band] - next_[band] > 1 && has_room(band)) found = burst(band) || found;
    return found;
  }

  __device__ static std::uint64_t wide(std::uint32_t low, std::uint32_t high) {
    return std::uint64_t{high} << 32U | low;
  }

  /// A 64-bit half of what a lane loaded, for all lanes.
  __device__ static std::uint64_t from_lane(const uint4& value, int lane, int half) {
    const std::uint32_t low = __shfl_sync(~0U, half == 0 ? value.x : value.z, lane);
    const std::uint32_t high = __shfl_sync(~0U, half == 0 ? value.y : value.w, lane);
    return wide(low, high);
  }

  __device__ void read_counts(const uint4& value) {
#pragma unroll
    for (int band = 0; band < static_cast<int>(kBands); ++band) {
      const std::uint64_t tail = from_lane(value, 16 + band / 2, band % 2);
      if (tail > tail_[band]) tail_[band] = tail;  // looks may come back out of order
      if (inbox_.floor != nullptr) floor_[band] = from_lane(value, 20 + band / 2, band % 2);
    }
  }

  __device__ void read_command(const uint4& value) {
    const std::uint64_t command_and_ping = from_lane(value, 18, 0);
    const std::uint64_t offset = from_lane(value, 18, 1);
    const auto ping = static_cast<std::uint32_t>(command_and_ping >> 32U);
    if (lane_ == 0) {
      block_.command = static_cast<std::uint32_t>(command_and_ping);
      block_.clock_offset_ns = static_cast<std::int64_t>(offset);
      if (ping != ping_) {
        bus_store64(&arguments_.control->pong_ns, static_cast<std::uint64_t>(device_now_ns()));
        __threadfence_system();
        bus_store32(&arguments_.control->pong, ping);
      }
    }
    ping_ = ping;
    if (static_cast<std::uint32_t>(command_and_ping) == ControlBlock::kKill) __trap();
  }

  /// True where lanes first to first + 15 hold the message that is next in the band; then it is staged, or
  /// dropped.
  __device__ bool take(const uint4& value, std::uint32_t first, std::uint32_t band) {
    const std::uint64_t index = next_[band];
    const std::uint32_t epoch = inbox_.epoch(index);
    constexpr std::uint32_t kBytesWord = 9;  // MessageHead::bytes
    const std::uint32_t chunk = lane_ - first;
    const std::uint32_t bytes = __shfl_sync(~0U, value.z, static_cast<int>(first + kBytesWord / 2));
    const std::uint32_t cells = Slot::cells(bytes);
    // The cell that holds `bytes` is checked too: of another epoch, what it says is not believed.
    const bool is_mine = chunk < 16 && 2 * chunk < cells;
    const bool is_there = value.y == epoch && (value.w == epoch || 2 * chunk + 1 >= cells);
    if (!__all_sync(~0U, !is_mine || is_there)) return false;
    if (index < floor_[band]) {
      drop(value, first, band);
      return true;
    }
    if (!has_room(band)) return false;
    stage(value, chunk, band, bytes);
    return true;
  }

  __device__ void stage(const uint4& value, std::uint32_t chunk, std::uint32_t band, std::uint32_t bytes) {
    Staged& staged = block_.stage.places[source_][band][staged_[band] % kStage];
    if (chunk < 16) {
      staged.words[2 * chunk] = value.x;
      staged.words[2 * chunk + 1] = value.z;
    }
    if (lane_ == 0) {
      staged.index = next_[band];
      staged.raw = inbox_.slot(band, next_[band]) + Slot::kPayload;
    }
    // The sender wrote a long payload before the cells; behind this fence it is there.
    if (bytes > Slot::kMostCellBytes) __threadfence_system();
    __threadfence_block();
    __syncwarp();
    ++staged_[band];
    if (lane_ == 0) const_cast<volatile std::uint32_t&>(block_.stage.staged[source_][band]) = staged_[band];
    __syncwarp();
    last_band_ = band;
    ++next_[band];
  }

  /// The host wants it gone; whoever waits for its answer is told.
  __device__ void drop(const uint4& value, std::uint32_t first, std::uint32_t band) {
    // Words 2 and 3 are the correlation; the last byte of word 11 is the flags.
    const std::uint64_t low = __shfl_sync(~0U, value.x, static_cast<int>(first) + 1);
    const std::uint64_t high = __shfl_sync(~0U, value.z, static_cast<int>(first) + 1);
    const std::uint64_t request = high << 32U | low;
    const std::uint32_t last = __shfl_sync(~0U, value.z, static_cast<int>(first) + 5);
    const auto flags = static_cast<std::uint8_t>(last >> 24U);
    if ((flags & MessageHead::kRequest) != 0) tell_dropped(request);
    if (lane_ == 0) ++block_.carrier_dropped[source_];
    __syncwarp();
    ++next_[band];
  }

  __device__ void tell_dropped(std::uint64_t correlation) {
    MessageHead head;
    head.correlation = correlation;
    head.type = static_cast<std::uint32_t>(Delivery::dropped);
    head.flags = MessageHead::kVerdict;
    std::uint32_t words[Slot::kHeadCells];
    memcpy(words, &head, sizeof head);
    std::byte* const slot = arguments_.desk + ((correlation & 0xffffU) - 1) * arguments_.desk_stride;
    const auto epoch = static_cast<std::uint32_t>(correlation >> 16U);
    if (lane_ == 0)
      for (std::uint32_t i = 0; i < Slot::kHeadCells; i += 2)
        bus_store(slot + 8 * i, make_uint4(words[i], epoch, words[i + 1], epoch));
    __syncwarp();
  }

  /// Up to kBurst messages of a band in one trip.
  __device__ bool burst(std::uint32_t band) {
    uint4 values[kBurst / 2];
#pragma unroll
    for (int i = 0; i < kBurst / 2; ++i)
      values[i] = bus_load(inbox_.slot(band, next_[band] + 2 * i + lane_ / 16) + 16 * (lane_ % 16));
    bool found = false;
#pragma unroll
    for (int i = 0; i < kBurst / 2; ++i)
#pragma unroll
      for (std::uint32_t half = 0; half < 2; ++half) {
        if (!take(values[i], 16 * half, band)) return found;
        found = true;
      }
    return found;
  }

  /// Says how far this is: slots that senders may use again, and messages that are settled. A short message
  /// was copied and needs its slot no more; a long one is read where it lies.
  __device__ void tell_progress() {
#pragma unroll
    for (std::uint32_t band = 0; band < kBands; ++band) {
      std::uint64_t freed = next_[band];
      for (std::uint32_t i = handled_[band]; i != staged_[band]; ++i) {
        const Staged& staged = block_.stage.places[source_][band][i % kStage];
        if (reinterpret_cast<const MessageHead*>(staged.words)->bytes <= Slot::kMostCellBytes) continue;
        freed = staged.index;
        break;
      }
      const std::uint64_t settled = next_[band] - (staged_[band] - handled_[band]);
      if (freed != freed_[band] && lane_ == 0) bus_store64(inbox_.freed + band, freed);
      if (source_ == 0 && settled != settled_[band] && lane_ == 0)
        bus_store64(arguments_.bands->settled + band, settled);
      freed_[band] = freed;
      settled_[band] = settled;
    }
  }

  /// Grows with everything that is counted.
  __device__ std::uint64_t events_so_far() const {
    const volatile TelemetryBlock& counts = block_.counts;
    const std::uint64_t events = counts.processed + counts.expired + counts.duplicates + counts.dropped +
                                 const_cast<const volatile std::uint64_t&>(block_.carrier_dropped[0]) +
                                 const_cast<const volatile std::uint64_t&>(block_.carrier_dropped[1]);
    return __shfl_sync(~0U, events, 0);
  }

  __device__ void publish(std::uint32_t quiet) {
    tell_progress();
    ++polls_;
    if (source_ != 0) return;
    if (lane_ == 0) {
      block_.polls = polls_;
      if (block_.phase != phase_)
        bus_store32(&arguments_.control->phase, static_cast<std::uint32_t>(block_.phase));
      phase_ = block_.phase;
      if (arguments_.tells_busy != 0 && block_.busy_since_ns != busy_since_ns_) {
        busy_since_ns_ = block_.busy_since_ns;
        bus_store64(&arguments_.control->busy_since_ns, static_cast<std::uint64_t>(busy_since_ns_));
      }
    }
    if (quiet < kSettled && polls_ % kSeldom != 0) return;
    const std::uint64_t events = events_so_far();
    if (events == published_) return;
    published_ = events;
    publish_counts();
  }

 public:
  /// The counts and the latencies, as they are now. [ring]
  __device__ void publish_counts() {
    const volatile TelemetryBlock& counts = block_.counts;
    for (std::uint32_t i = lane_; i < LatencyBuckets::kBuckets; i += 32)
      bus_store64(&arguments_.latency->counts[i], *const_cast<volatile std::uint32_t*>(&block_.buckets[i]));
    if (lane_ == 0) {
      bus_store64(&arguments_.latency->min_ns,
                  static_cast<std::uint64_t>(*const_cast<volatile std::int64_t*>(&block_.min_ns)));
      bus_store64(&arguments_.latency->max_ns,
                  static_cast<std::uint64_t>(*const_cast<volatile std::int64_t*>(&block_.max_ns)));
      __threadfence_system();
      TelemetryBlock& out = *arguments_.telemetry;
      bus_store64(&out.expired, counts.expired);
      bus_store64(&out.duplicates, counts.duplicates);
      bus_store64(&out.dropped, counts.dropped + block_.carrier_dropped[0] + block_.carrier_dropped[1]);
      bus_store64(&out.errors, counts.errors);
      bus_store64(&out.polls, polls_);
      bus_store64(&out.busy_ns, counts.busy_ns);
      bus_store64(&out.last_ns, static_cast<std::uint64_t>(counts.last_ns));
      __threadfence_system();
      bus_store64(&out.processed, counts.processed);
    }
    __syncwarp();
  }

 private:
  static constexpr std::uint32_t kSettled = 4;   // looks without a message after which the counts go out
  static constexpr std::uint64_t kSeldom = 512;  // looks, while there are messages all the time

  ResidentBlock& block_;
  const ResidentArguments& arguments_;
  const WireInbox& inbox_;
  int source_;
  std::uint32_t lane_;
  std::uint32_t last_band_ = 1;  // normal
  std::uint32_t ping_ = 0;
  std::uint64_t next_[kBands];
  std::uint64_t tail_[kBands];
  std::uint64_t freed_[kBands];
  std::uint64_t settled_[kBands];
  std::uint32_t staged_[kBands];
  std::uint32_t handled_[kBands];
  std::uint64_t published_ = 0;
  std::uint64_t floor_[kBands] = {};
  std::uint64_t polls_ = 0;
  std::int64_t busy_since_ns_ = 0;
  Phase phase_ = Phase::absent;
};

}  // namespace ringwave::ring::cuda
