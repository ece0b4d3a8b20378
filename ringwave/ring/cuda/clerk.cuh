// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"

namespace ringwave::ring::cuda {

/// The warp that speaks with the host beside the messages, so that those who look for messages and handle
/// them need not: it counts, tells the host and other kernels how far the block is, and hears what the host
/// commands.
class Clerk {
 public:
  __device__ Clerk(ResidentBlock& block, const ResidentArguments& arguments)
      : block_(block), arguments_(arguments), lane_(threadIdx.x % 32) {}

  /// Says how far the last start came, before this one goes on. [ring]
  __device__ void begin() { tell_progress(); }

  /// Until the workers have left. [ring]
  __device__ void run() {
    for (std::uint32_t round = 0; __shfl_sync(~0U, block_.leaving, 0) == 0; ++round) {
      const bool listens = round % papers_every_ == 0 || !is_running_;
      const uint4 papers = listens ? look_at_papers() : uint4{};  // on its way meanwhile
      tell_progress();
      tell_phase();
      count();
      if (round % kSeldom == 0) tell_counts();
      if (listens) read_papers(papers);
      __nanosleep(kNapNs);
    }
  }

  /// Everything, as it is now. [ring]
  __device__ void finish() {
    tell_progress();
    while (count()) {
    }
    tell_counts();
  }

 private:
  static constexpr unsigned kNapNs = 200;
  static constexpr std::uint32_t kSeldom = 32;        // rounds from one telling of the counts to the next
  static constexpr std::uint32_t kBesideCourier = 8;  // rounds between two looks that hold his up

  /// Up to 32 pages of the diary; true where there were any.
  __device__ bool count() {
    Diary& diary = block_.diary;
    const std::uint32_t written = __shfl_sync(~0U, diary.written, 0);
    const std::uint32_t pages = written - read_ < 32 ? written - read_ : 32;
    if (pages == 0) return false;
    std::uint64_t busy = 0;
    std::int64_t least = INT64_MAX;
    std::int64_t most = 0;
    if (lane_ < pages) {
      const volatile Diary::Page& page = diary.pages[(read_ + lane_) % Diary::kPages];
      const std::int64_t waited = page.waited_ns;
      const std::int64_t ran = page.ran_ns;
      least = most = waited < 0 ? 0 : waited;
      busy = ran < 0 ? 0 : static_cast<std::uint64_t>(ran);
      atomicAdd(&block_.buckets[LatencyBuckets::bucket_of(most)], 1U);
    }
#pragma unroll 1
    for (int step = 16; step > 0; step /= 2) {
      busy += __shfl_xor_sync(~0U, busy, step);
      const std::int64_t low = __shfl_xor_sync(~0U, least, step);
      const std::int64_t high = __shfl_xor_sync(~0U, most, step);
      if (low < least) least = low;
      if (high > most) most = high;
    }
    read_ += pages;
    if (lane_ == 0) {
      diary.read = read_;
      block_.counts.processed += pages;
      block_.counts.busy_ns += busy;
      block_.counts.last_ns = device_now_ns() + block_.clock_offset_ns;
      if (block_.min_ns == 0 || least < block_.min_ns) block_.min_ns = least;
      if (most > block_.max_ns) block_.max_ns = most;
    }
    __syncwarp();
    return true;
  }

  /// Messages that are settled, whose slots senders may use again; lane 4 s + b of source s and band b.
  __device__ void tell_progress() {
    const std::uint32_t source = lane_ / kBands % 2;
    const std::uint32_t band = lane_ % kBands;
    const std::uint64_t settled = look(block_.next[source][band]);
    const bool is_news = lane_ < 2 * kBands && (settled != settled_ || !told_);
    if (__any_sync(~0U, is_news) != 0) __threadfence_system();  // what the workers read they have read
    if (!is_news) return;
    bus_store64((source == 0 ? arguments_.control->settled : arguments_.memory->freed) + band, settled);
    settled_ = settled;
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

  /// Counters and latencies, where they have changed. What is counted in 32 bits comes by less than 2^32 from
  /// one telling to the next: the difference is right also where it has wrapped.
  __device__ void tell_counts() {
    for (std::uint32_t i = lane_; i < LatencyBuckets::kBuckets; i += 32) {
      const std::uint64_t told = block_.told_buckets[i];
      const std::uint32_t more = look(block_.buckets[i]) - static_cast<std::uint32_t>(told);
      if (more == 0) continue;
      block_.told_buckets[i] = told + more;
      bus_store64(&arguments_.latency->counts[i], told + more);
    }
    if (lane_ == 0) {
      const std::uint32_t polls = block_.polls;
      block_.counts.polls += polls - polls_;
      polls_ = polls;
      bus_store64(&arguments_.latency->min_ns, static_cast<std::uint64_t>(look(block_.min_ns)));
      bus_store64(&arguments_.latency->max_ns, static_cast<std::uint64_t>(look(block_.max_ns)));
      const TelemetryBlock& counts = block_.counts;
      TelemetryBlock& out = *arguments_.telemetry;
      bus_store64(&out.processed, look(counts.processed));
      bus_store64(&out.expired, look(counts.expired));
      bus_store64(&out.duplicates, look(counts.duplicates));
      bus_store64(&out.dropped, look(counts.dropped));
      bus_store64(&out.errors, look(counts.errors));
      bus_store64(&out.polls, counts.polls);
      bus_store64(&out.busy_ns, look(counts.busy_ns));
      bus_store64(&out.last_ns, static_cast<std::uint64_t>(look(counts.last_ns)));
    }
    __syncwarp();
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
    is_running_ = __shfl_sync(~0U, papers.x, 0) == static_cast<std::uint32_t>(Command::run);
  }

  __device__ static __noinline__ void answer_ping(ControlBlock& control, std::uint32_t ping) {
    const auto now = static_cast<std::uint64_t>(device_now_ns());
    static_assert(offsetof(ControlBlock, pong) == offsetof(ControlBlock, pong_ns) + 8);
    bus_store(&control.pong_ns,
              make_uint4(static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32U), ping, 0));
  }

  /// Reads what another warp may be writing.
  template <class T>
  __device__ static T look(const T& word) {
    return const_cast<const volatile T&>(word);
  }

  ResidentBlock& block_;
  const ResidentArguments& arguments_;
  std::uint32_t lane_;
  std::uint64_t settled_ = 0;
  bool told_ = false;
  std::int64_t busy_since_ns_ = 0;
  Phase phase_ = Phase::absent;
  std::uint32_t read_ = block_.diary.read;  // pages of the diary
  std::uint32_t polls_ = 0;                 // of those that are in the counts
  std::uint32_t papers_every_ = arguments_.mail.slots != nullptr ? kBesideCourier : 1;  // rounds
  std::uint32_t ping_ = 0;
  bool is_running_ = false;  // what the host commands
};

}  // namespace ringwave::ring::cuda
