// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "ringwave/ring/cuda/clerk.cuh"
#include "ringwave/ring/cuda/courier.cuh"
#include "ringwave/ring/cuda/worker.cuh"

namespace ringwave::ring::cuda {

/// By all threads of the block.
template <class T>
__device__ void copy_words(T& to, const T& from) {
  static_assert(sizeof(T) % 4 == 0);
  for (std::uint32_t i = threadIdx.x; i < sizeof(T) / 4; i += blockDim.x)
    reinterpret_cast<std::uint32_t*>(&to)[i] = reinterpret_cast<const std::uint32_t*>(&from)[i];
}

/// No block has come to a meeting yet, and none has told anything.
__device__ inline void begin_meetings(ResidentBlock& block) {
  if (threadIdx.x < kMostCluster) block.arrivals[threadIdx.x] = 0;
  if (threadIdx.x < 4) block.tidings[threadIdx.x / 2].halves[threadIdx.x % 2] = 0;
}

/// What the block goes on with from the last start.
__device__ inline void begin_block(ResidentBlock& block, const ResidentArguments& arguments) {
  const ResidentMemory& memory = *arguments.memory;
  begin_meetings(block);
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
  block.polls = 0;
  block.acquaintance.number = 0;
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
  for (std::size_t band = 0; band < kBands; ++band) {
    block.far_tail[band] = memory.far_tail[band];
    block.far_taken[band] = memory.far_tail[band] - arguments.far.mask - 1;  // looks full: it will look
  }
  block.failure = ControlBlock::none;
  block.code = 0;
}

/// The same of a block that only handles.
__device__ inline void begin_follower(ResidentBlock& block) {
  begin_meetings(block);
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
  for (std::size_t band = 0; band < kBands; ++band) memory.far_tail[band] = block.far_tail[band];
  const bool failed = block.failure != ControlBlock::none;
  bus_store32(&arguments.control->code, block.code);
  bus_store64(&arguments.control->busy_since_ns, 0);
  __threadfence_system();
  bus_store32(&arguments.control->phase, static_cast<std::uint32_t>(failed ? Phase::failed : Phase::ended) |
                                             block.failure << ControlBlock::kFailure);
}

/// The same object. Where it lies in shared memory the compiler would work out before every use, and wait for
/// the number of the block in its cluster; so it is made to keep the address.
__device__ inline ResidentBlock& kept_address(ResidentBlock& block) {
  ResidentBlock* address = &block;
  asm volatile("" : "+l"(address));
  __builtin_assume(__isShared(address));
  return *address;
}

/// Other kernels may send to this one from here on, by one thread.
__device__ inline void open_peerbox(const ResidentArguments& arguments) {
  for (std::uint64_t& tail : arguments.memory->tail)
    atomicAnd(reinterpret_cast<unsigned long long*>(&tail), ~static_cast<unsigned long long>(Peer::kClosed));
  __threadfence();
  const_cast<volatile std::uint32_t&>(arguments.peers[arguments.number].launch) = arguments.launch;
}

/// And no more: whoever claims a slot from here on finds that it is closed.
__device__ inline void close_peerbox(const ResidentArguments& arguments) {
  const_cast<volatile std::uint32_t&>(arguments.peers[arguments.number].launch) = 0;
  for (std::uint64_t& tail : arguments.memory->tail)
    atomicOr(reinterpret_cast<unsigned long long*>(&tail), static_cast<unsigned long long>(Peer::kClosed));
}

/// A kernel that stays: a warp that carries the host's messages where the host cannot, one that speaks with
/// the host beside the messages, and those that find the messages and handle them. Of several blocks the
/// first one has them all, the others only the last.
template <class Handler, bool kLone>
__global__ void __launch_bounds__(kLone ? 32 * (1 + kServiceWarps) : 512)
    resident_kernel(const __grid_constant__ ResidentArguments arguments) {
  __shared__ ResidentBlock memory;
  ResidentBlock& block = kept_address(memory);
  const bool leads = kLone || blockIdx.x == 0;
  if (leads)
    begin_block(block, arguments);
  else
    begin_follower(block);
  __syncthreads();
  Blocks::join_cluster(arguments);
  const std::uint32_t warp = threadIdx.x / 32;
  Clerk clerk(block, arguments);
  if (leads && warp == 1) clerk.begin();
  __syncthreads();
  if (warp >= kServiceWarps) {
    if (leads && threadIdx.x == 32 * kServiceWarps) open_peerbox(arguments);
    Worker<Handler, kLone>(block, arguments, static_cast<int>(blockDim.x) - 32 * kServiceWarps).run();
    if (leads && threadIdx.x == 32 * kServiceWarps) {
      close_peerbox(arguments);
      block.leaving = 1;
    }
  } else if (leads && warp == 1) {
    clerk.run();
  } else if (leads && arguments.mail.slots != nullptr) {
    Courier(block, arguments).run();
  }
  __syncthreads();
  Blocks::join_cluster(arguments);
  if (!leads) return;
  if (warp == 1) clerk.finish();
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

/// False for a handler that says so (`kLone`): it would be compiled for a single warp in vain.
template <class Handler>
[[nodiscard]] constexpr bool may_be_lone() {
  if constexpr (requires { Handler::kLone; })
    return Handler::kLone;
  else
    return true;
}

template <class Handler, bool kLone>
cudaError_t load_one() {
  cudaFuncAttributes attributes{};
  // Devices without clusters refuse this, and need not have it.
  (void)cudaFuncSetAttribute(resident_kernel<Handler, kLone>, cudaFuncAttributeNonPortableClusterSizeAllowed,
                             1);
  (void)cudaGetLastError();
  return cudaFuncGetAttributes(&attributes, resident_kernel<Handler, kLone>);
}

template <class Handler>
int load_resident() {
  if constexpr (may_be_lone<Handler>())
    if (const cudaError_t error = load_one<Handler, true>(); error != cudaSuccess) return error;
  return load_one<Handler, false>();
}

/// True where the current device can have so many blocks as one cluster.
template <class Handler>
bool fits_cluster(std::uint32_t blocks, int threads) {
  if (blocks < 2 || blocks > kMostCluster) return false;
  int clusters = 0;
  const cudaError_t error = cudaOccupancyMaxActiveClusters(
      &clusters, resident_kernel<Handler, false>, &ResidentLaunch(blocks, true, threads, nullptr).config());
  (void)cudaGetLastError();
  return error == cudaSuccess && clusters > 0;
}

template <class Handler>
int launch_resident(const ResidentArguments& arguments, int threads, void* stream) {
  const ResidentLaunch launch(arguments.blocks, arguments.is_cluster != 0, threads,
                              static_cast<cudaStream_t>(stream));
  if constexpr (may_be_lone<Handler>())
    if (arguments.blocks == 1 && threads == 32)
      return cudaLaunchKernelEx(&launch.config(), resident_kernel<Handler, true>, arguments);
  return cudaLaunchKernelEx(&launch.config(), resident_kernel<Handler, false>, arguments);
}

}  // namespace ringwave::ring::cuda
