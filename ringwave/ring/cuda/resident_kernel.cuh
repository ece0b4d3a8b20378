// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "ringwave/ring/cuda/carrier.cuh"
#include "ringwave/ring/cuda/worker.cuh"

namespace ringwave::ring::cuda {

/// What the block goes on with from the last start.
__device__ inline void begin_block(ResidentBlock& block, const ResidentArguments& arguments) {
  const ResidentMemory& memory = *arguments.memory;
  for (std::uint32_t i = threadIdx.x; i < LatencyBuckets::kBuckets; i += blockDim.x)
    block.buckets[i] = memory.buckets[i];
  if (threadIdx.x != 0) return;
  block.arguments = arguments;
  block.stage = memory.stage;
  if (arguments.forgets != 0)
    for (std::size_t source = 0; source < kSources; ++source)
      for (std::size_t band = 0; band < kBands; ++band)
        block.stage.handled[source][band] = block.stage.staged[source][band];
  block.command = static_cast<std::uint32_t>(Command::hold);
  block.leaving = 0;
  block.clock_offset_ns = 0;
  block.busy_since_ns = 0;
  block.phase = Phase::absent;
  block.counts = memory.counts;
  block.carrier_dropped[0] = block.carrier_dropped[1] = 0;
  block.min_ns = memory.min_ns;
  block.max_ns = memory.max_ns;
  block.outbox_tail = memory.outbox_tail;
  block.outbox_taken = bus_load64(arguments.outbox.taken);
  block.dead_tail = memory.dead_tail;
  block.failure = ControlBlock::none;
  block.code = 0;
}

/// Tells the host what still waits on the stage.
__device__ inline void leave_word(const Stage& stage, const ResidentMemory& memory, Leftover& leftover) {
  std::uint32_t count = 0;
  for (std::size_t source = 0; source < kSources; ++source)
    for (std::size_t band = 0; band < kBands; ++band)
      for (std::uint32_t i = stage.handled[source][band]; i != stage.staged[source][band]; ++i)
        leftover.heads[count++] =
            *reinterpret_cast<const MessageHead*>(stage.places[source][band][i % kStage].words);
  leftover.count = count;
  for (std::size_t band = 0; band < kBands; ++band) leftover.next[band] = memory.next[0][band];
  leftover.is_valid = 1;
}

/// What the next start goes on with, and the last word to the host.
__device__ inline void end_block(ResidentBlock& block) {
  const ResidentArguments& arguments = block.arguments;
  ResidentMemory& memory = *arguments.memory;
  for (std::uint32_t i = threadIdx.x; i < LatencyBuckets::kBuckets; i += blockDim.x)
    memory.buckets[i] = block.buckets[i];
  if (threadIdx.x != 0) return;
  memory.stage = block.stage;
  leave_word(block.stage, memory, *arguments.leftover);
  memory.counts = block.counts;
  memory.counts.dropped += block.carrier_dropped[0] + block.carrier_dropped[1];
  memory.min_ns = block.min_ns;
  memory.max_ns = block.max_ns;
  memory.outbox_tail = block.outbox_tail;
  memory.dead_tail = block.dead_tail;
  const bool failed = block.failure != ControlBlock::none;
  bus_store32(&arguments.control->failure, block.failure);
  bus_store32(&arguments.control->code, block.code);
  bus_store64(&arguments.control->busy_since_ns, 0);
  __threadfence_system();
  bus_store32(&arguments.control->phase, static_cast<std::uint32_t>(failed ? Phase::failed : Phase::ended));
}

/// A kernel that stays: one warp carries the host's messages, one those of other kernels, the others handle.
template <class Handler>
__global__ void __launch_bounds__(512) resident_kernel(const ResidentArguments arguments) {
  __shared__ ResidentBlock block;
  begin_block(block, arguments);
  __syncthreads();
  volatile Peer& self = arguments.peers[arguments.number];
  const int warp = static_cast<int>(threadIdx.x / 32);
  if (warp < kCarriers) {
    if (warp == 1 && threadIdx.x % 32 == 0) self.open = 1;
    Carrier carrier(block, warp);
    carrier.run();
    __syncthreads();
    if (warp == 0) carrier.publish_counts();
  } else {
    Worker<Handler> worker(block, static_cast<int>(blockDim.x) - 32 * kCarriers);
    worker.run();
    if (threadIdx.x == 32 * kCarriers) {
      self.open = 0;
      block.leaving = 1;
    }
    __syncthreads();
  }
  __syncthreads();
  end_block(block);
}

template <class Handler>
int load_resident() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, resident_kernel<Handler>);
}

template <class Handler>
int launch_resident(const ResidentArguments& arguments, int threads, void* stream) {
  resident_kernel<Handler>
      <<<1, static_cast<unsigned>(threads + 32 * kCarriers), 0, static_cast<cudaStream_t>(stream)>>>(
          arguments);
  return cudaGetLastError();
}

}  // namespace ringwave::ring::cuda
