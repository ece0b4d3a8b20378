// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "ringwave/ring/cuda/clerk.cuh"
#include "ringwave/ring/cuda/looker.cuh"
#include "ringwave/ring/cuda/worker.cuh"

namespace ringwave::ring::cuda {

/// By all threads of the block.
template <class T>
__device__ void copy_words(T& to, const T& from) {
  static_assert(sizeof(T) % 4 == 0);
  for (std::uint32_t i = threadIdx.x; i < sizeof(T) / 4; i += blockDim.x)
    reinterpret_cast<std::uint32_t*>(&to)[i] = reinterpret_cast<const std::uint32_t*>(&from)[i];
}

/// What the block goes on with from the last start.
__device__ inline void begin_block(ResidentBlock& block, const ResidentArguments& arguments) {
  const ResidentMemory& memory = *arguments.memory;
  if (threadIdx.x < kMostCluster) block.arrivals[threadIdx.x] = 0;
  copy_words(block.told_buckets, memory.buckets);
  for (std::uint32_t i = threadIdx.x; i < LatencyBuckets::kBuckets; i += blockDim.x)
    block.buckets[i] = static_cast<std::uint32_t>(memory.buckets[i]);
  copy_words(block.next, memory.next);
  copy_words(block.counts, memory.counts);
  __syncthreads();
  if (threadIdx.x != 0) return;
#pragma unroll 1
  for (std::size_t i = 0; i < 2 * kBands; ++i) {
    std::uint64_t& next = block.next[i / kBands][i % kBands];
    if (arguments.skip[i / kBands][i % kBands] > next) next = arguments.skip[i / kBands][i % kBands];
  }
  for (std::uint32_t& full : block.trays.full) full = 0;
  block.polls = 0;
  block.acquaintance.launch = 0;
  block.diary.written = 0;
  block.diary.read = 0;
  for (std::size_t band = 0; band < kBands; ++band) block.floors[band] = 0;
  block.mood = ResidentBlock::mood_of(static_cast<std::uint32_t>(Command::hold));
  block.overrun = false;
  block.leaving = 0;
  block.clock_offset_ns = 0;
  block.busy_since_ns = 0;
  block.phase = Phase::absent;
  block.min_ns = memory.min_ns;
  block.max_ns = memory.max_ns;
  block.outbox_tail = memory.outbox_tail;
  block.dead_tail = memory.dead_tail;
  block.failure = ControlBlock::none;
  block.code = 0;
}

/// The same of a block that only handles.
__device__ inline void begin_follower(ResidentBlock& block) {
  if (threadIdx.x < kMostCluster) block.arrivals[threadIdx.x] = 0;
  if (threadIdx.x != 0) return;
  block.order.number = 0;
  block.diary.written = 0;
  block.mood = ResidentBlock::mood_of(static_cast<std::uint32_t>(Command::run));
  block.outbox_tail = 0;
}

/// What the next start goes on with, and the last word to the host.
__device__ inline void end_block(ResidentBlock& block, const ResidentArguments& arguments) {
  ResidentMemory& memory = *arguments.memory;
  copy_words(memory.buckets, block.told_buckets);
  copy_words(memory.next, block.next);
  copy_words(memory.counts, block.counts);
  __syncthreads();
  if (threadIdx.x != 0) return;
  memory.min_ns = block.min_ns;
  memory.max_ns = block.max_ns;
  memory.outbox_tail = block.outbox_tail;
  memory.dead_tail = block.dead_tail;
  const bool failed = block.failure != ControlBlock::none;
  bus_store32(&arguments.control->code, block.code);
  bus_store64(&arguments.control->busy_since_ns, 0);
  __threadfence_system();
  bus_store32(&arguments.control->phase, static_cast<std::uint32_t>(failed ? Phase::failed : Phase::ended) |
                                             block.failure << ControlBlock::kFailure);
}

/// A kernel that stays: warps that look for messages, one that tells how far the block is, and those that
/// handle the messages. Of several blocks the first one has them all, the others only the last.
template <class Handler>
__global__ void __launch_bounds__(512) resident_kernel(const __grid_constant__ ResidentArguments arguments) {
  __shared__ ResidentBlock block;
  const bool leads = blockIdx.x == 0;
  if (leads)
    begin_block(block, arguments);
  else
    begin_follower(block);
  __syncthreads();
  Blocks::join_cluster(arguments);
  volatile Peer& self = arguments.peers[arguments.number];
  const std::uint32_t warp = threadIdx.x / 32;
  Clerk clerk(block, arguments);
  if (leads && warp == 2) clerk.begin();
  __syncthreads();
  if (warp >= kServiceWarps) {
    Worker<Handler>(block, arguments, static_cast<int>(blockDim.x) - 32 * kServiceWarps).run();
    if (leads && threadIdx.x == 32 * kServiceWarps) {
      self.launch = 0;
      block.leaving = 1;
    }
  } else if (leads && warp == 0) {
    Looker<0>(block, arguments).run();
  } else if (leads && warp == 1) {
    if (threadIdx.x == 32) self.launch = arguments.launch;
    Looker<1>(block, arguments).run();
  } else if (leads) {
    clerk.run();
  }
  __syncthreads();
  Blocks::join_cluster(arguments);
  if (!leads) return;
  if (warp == 2) clerk.finish();
  __syncthreads();
  end_block(block, arguments);
}

/// How a kernel is launched: as one cluster, or as blocks that meet in the device's memory.
class ResidentLaunch {
 public:
  ResidentLaunch(std::uint32_t blocks, bool is_cluster, int threads, cudaStream_t stream) {
    cluster_.id = cudaLaunchAttributeClusterDimension;
    cluster_.val.clusterDim.x = blocks;
    cluster_.val.clusterDim.y = 1;
    cluster_.val.clusterDim.z = 1;
    config_.gridDim = blocks;
    config_.blockDim = static_cast<unsigned>(threads + 32 * kServiceWarps);
    config_.stream = stream;
    config_.attrs = &cluster_;
    config_.numAttrs = is_cluster ? 1 : 0;
  }
  ResidentLaunch(const ResidentLaunch&) = delete;  // it points into itself
  ResidentLaunch& operator=(const ResidentLaunch&) = delete;
  [[nodiscard]] const cudaLaunchConfig_t& config() const { return config_; }

 private:
  cudaLaunchAttribute cluster_{};
  cudaLaunchConfig_t config_{};
};

template <class Handler>
int load_resident() {
  cudaFuncAttributes attributes{};
  // Devices without clusters refuse this, and need not have it.
  (void)cudaFuncSetAttribute(resident_kernel<Handler>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  (void)cudaGetLastError();
  return cudaFuncGetAttributes(&attributes, resident_kernel<Handler>);
}

/// True where the current device can have so many blocks as one cluster.
template <class Handler>
bool fits_cluster(std::uint32_t blocks, int threads) {
  if (blocks < 2 || blocks > kMostCluster) return false;
  int clusters = 0;
  const cudaError_t error = cudaOccupancyMaxActiveClusters(
      &clusters, resident_kernel<Handler>, &ResidentLaunch(blocks, true, threads, nullptr).config());
  (void)cudaGetLastError();
  return error == cudaSuccess && clusters > 0;
}

template <class Handler>
int launch_resident(const ResidentArguments& arguments, int threads, void* stream) {
  const ResidentLaunch launch(arguments.blocks, arguments.is_cluster != 0, threads,
                              static_cast<cudaStream_t>(stream));
  return cudaLaunchKernelEx(&launch.config(), resident_kernel<Handler>, arguments);
}

}  // namespace ringwave::ring::cuda
