// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"

namespace ringwave::ring::cuda {

/// The warp that tells the host, and other kernels, how far the block is, so that those who carry and handle
/// messages need not.
class Clerk {
 public:
  __device__ Clerk(ResidentBlock& block, const ResidentArguments& arguments)
      : block_(block), arguments_(arguments), lane_(threadIdx.x % 32) {}

  /// Says how far the last start came, before this one goes on. [ring]
  __device__ void begin() { tell_progress(); }

  /// Until the workers have left. [ring]
  __device__ void run() {
    for (std::uint32_t round = 0; __shfl_sync(~0U, block_.leaving, 0) == 0; ++round) {
      tell_progress();
      tell_phase();
      if (round % kSeldom == 0) tell_counts();
      __nanosleep(kNapNs);
    }
  }

  /// Everything, as it is now. [ring]
  __device__ void finish() {
    tell_progress();
    tell_counts();
  }

 private:
  static constexpr unsigned kNapNs = 200;
  static constexpr std::uint32_t kSeldom = 16;

  /// Slots that senders may use again, and messages that are settled; lane 4 s + b of source s and band b. A
  /// short message was copied and needs its slot no more; a long one is read where it lies.
  __device__ void tell_progress() {
    if (lane_ >= kSources * kBands) return;
    const std::uint32_t source = lane_ / kBands;
    const std::uint32_t band = lane_ % kBands;
    const Stage& stage = block_.stage;
    // In this order: whatever is counted between two looks makes the sums smaller than they are, never
    // larger.
    const std::uint64_t next = look(block_.next[source][band]);
    const std::uint32_t staged = look(stage.staged[source][band]);
    const std::uint32_t handled = look(stage.handled[source][band]);
    std::uint64_t freed = next;
    for (std::uint32_t i = handled; i != staged; ++i) {
      const Staged& place = stage.places[source][band][i % kStage];
      if (look(reinterpret_cast<const MessageHead*>(place.words)->bytes) <= Slot::kMostCellBytes) continue;
      if (look(place.index) < freed) freed = look(place.index);
      break;
    }
    const std::uint64_t settled = next - (staged - handled);
    const bool is_further = static_cast<std::int64_t>(freed - freed_) > 0;
    if (is_further || !told_)
      bus_store64((source == 0 ? arguments_.inbox : arguments_.peerbox).freed + band, freed);
    const bool is_settled = static_cast<std::int64_t>(settled - settled_) > 0;
    if (source == 0 && (is_settled || !told_)) bus_store64(arguments_.bands->settled + band, settled);
    if (is_further || !told_) freed_ = freed;
    if (is_settled || !told_) settled_ = settled;
    told_ = true;
  }

  __device__ void tell_phase() {
    if (lane_ != 0) return;
    const Phase phase = block_.phase;
    if (phase != phase_) bus_store32(&arguments_.control->phase, static_cast<std::uint32_t>(phase));
    phase_ = phase;
    const std::int64_t busy_since = block_.busy_since_ns;
    if (arguments_.tells_busy != 0 && busy_since != busy_since_ns_)
      bus_store64(&arguments_.control->busy_since_ns, static_cast<std::uint64_t>(busy_since));
    busy_since_ns_ = busy_since;
  }

  /// Counters and latencies, where they have changed.
  __device__ void tell_counts() {
    for (std::uint32_t i = lane_; i < LatencyBuckets::kBuckets; i += 32) {
      const std::uint32_t count = look(block_.buckets[i]);
      if (count != block_.told_buckets[i]) bus_store64(&arguments_.latency->counts[i], count);
      block_.told_buckets[i] = count;
    }
    if (lane_ == 0) {
      bus_store64(&arguments_.latency->min_ns, static_cast<std::uint64_t>(look(block_.min_ns)));
      bus_store64(&arguments_.latency->max_ns, static_cast<std::uint64_t>(look(block_.max_ns)));
      const TelemetryBlock& counts = block_.counts;
      TelemetryBlock& out = *arguments_.telemetry;
      bus_store64(&out.processed, look(counts.processed));
      bus_store64(&out.expired, look(counts.expired));
      bus_store64(&out.duplicates, look(counts.duplicates));
      bus_store64(&out.dropped,
                  look(counts.dropped) + look(block_.carrier_dropped[0]) + look(block_.carrier_dropped[1]));
      bus_store64(&out.errors, look(counts.errors));
      bus_store64(&out.polls, look(block_.polls[0]));
      bus_store64(&out.busy_ns, look(counts.busy_ns));
      bus_store64(&out.last_ns, static_cast<std::uint64_t>(look(counts.last_ns)));
    }
    __syncwarp();
  }

  /// Reads what another warp may be writing.
  template <class T>
  __device__ static T look(const T& word) {
    return const_cast<const volatile T&>(word);
  }

  ResidentBlock& block_;
  const ResidentArguments& arguments_;
  std::uint32_t lane_;
  std::uint64_t freed_ = 0;
  std::uint64_t settled_ = 0;
  bool told_ = false;
  std::int64_t busy_since_ns_ = 0;
  Phase phase_ = Phase::absent;
};

}  // namespace ringwave::ring::cuda
