// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/cuda/bus.cuh"
#include "ringwave/ring/cuda/resident_block.cuh"

namespace ringwave::ring::cuda {

/// The blocks of one kernel, and what passes between them. The first one finds the messages and speaks for
/// all; it tells the others what to handle, and they meet when each has done its part.
///
/// Blocks of a cluster write into each other's shared memory, those of a grid into the device's. Either way a
/// block waits at a word that only says that something is there, stored with release after it and loaded with
/// acquire before.
///
/// All workers of a block call it together.
class Blocks {
 public:
  static constexpr unsigned kSaid = 4;  ///< bits of an arrival that a block says of itself

  __device__ Blocks(ResidentBlock& block, const ResidentArguments& arguments, int workers, int count)
      : block_(block), arguments_(arguments), workers_(workers), count_(count) {}

  [[nodiscard]] __device__ bool are_several() const { return count_ > 1; }
  [[nodiscard]] __device__ int count() const { return count_; }
  [[nodiscard]] __device__ int rank() const { return are_several() ? static_cast<int>(blockIdx.x) : 0; }
  [[nodiscard]] __device__ bool leads() const { return rank() == 0; }

  /// By all threads of all blocks of a cluster, before the first of them writes to another and after the
  /// last: the shared memory of a block goes with it. [ring]
  __device__ static void join_cluster(const ResidentArguments& arguments) {
#if __CUDA_ARCH__ >= 900
    if (arguments.is_cluster != 0)
      asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::
                       : "memory");
#endif
  }

  /// Waits until all blocks are there; false where the kernel is to end before. [ring]
  [[nodiscard]] __device__ bool gather() {
    if (!are_several() || arguments_.is_cluster != 0) return true;
    return wait_for_grid();
  }

  /// Tells the other blocks to handle a message. [ring]
  __device__ void tell(const MessageHead& head, const std::byte* payload, std::int64_t begin_ns) {
    BlockOrder order;
    reinterpret_cast<MessageHead&>(order.head) = head;
    order.leaves = 0;
    order.payload = head.bytes > Slot::kMostCellBytes ? payload : nullptr;
    order.begin_ns = begin_ns;
    order.clock_offset_ns = block_.clock_offset_ns;
    post(block_, arguments_, order, head.bytes > Slot::kMostCellBytes ? nullptr : payload, ++orders_);
  }

  /// Tells them to leave. [ring]
  __device__ void dismiss() {
    BlockOrder order;
    order.leaves = 1;
    post(block_, arguments_, order, nullptr, ++orders_);
  }

  /// What the first block tells next. It stays until all have handled it. [ring]
  [[nodiscard]] __device__ const BlockOrder& hear() {
    BlockOrder& order = arguments_.is_cluster != 0 ? block_.order : arguments_.blocks_memory->order;
    ++orders_;
    if (lane() == 0)
      while (load(&order.number, arguments_.is_cluster) != orders_) {
      }
    sync_block(workers_);
    return order;
  }

  /// Waits for all workers of all blocks, and shows each what the others wrote; the host, too, where it is to
  /// see that. Returns what any block says of itself, kSaid bits. [ring]
  __device__ std::uint32_t meet(std::uint32_t says = 0, bool shows_host = false) {
    gather_round(says, shows_host);
    return const_cast<volatile std::uint32_t&>(block_.said);
  }

  /// What the first worker of the first block knows, for all, who wait for nobody else. [ring]
  [[nodiscard]] __device__ std::uint64_t learn(std::uint64_t known) {
    // By turns of two: who reads the one has yet to come to the meeting before it is written again.
    if (told_ == 2) meet();
    ++told_;
    ++tellings_;
    Tidings& here = block_.tidings[tellings_ % 2];
    if (lane() < 32) pass_on(block_, arguments_, tellings_, known);
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    do {
      low = const_cast<volatile std::uint64_t&>(here.halves[0]);
      high = const_cast<volatile std::uint64_t&>(here.halves[1]);
    } while (low >> 32U != tellings_ || high >> 32U != tellings_);
    return high << 32U | (low & ~0U);
  }

  /// Waits for the workers of this block. [ring]
  __device__ static void sync_block(int workers) {
    __syncwarp();  // the lanes of a warp come to a barrier together, or it waits for ever
    if (workers != 32) asm volatile("bar.sync 1, %0;" ::"r"(workers) : "memory");
  }

  /// The same; true where it is so for any of them. [ring]
  [[nodiscard]] __device__ static bool any_in_block(bool mine, int workers) {
    if (workers == 32) return __any_sync(~0U, mine) != 0;
    __syncwarp();
    std::uint32_t any = 0;
    asm volatile(
        "{ .reg .pred mine, any; setp.ne.u32 mine, %1, 0; bar.red.or.pred any, 1, %2, mine;"
        " selp.u32 %0, 1, 0, any; }"
        : "=r"(any)
        : "r"(mine ? 1U : 0U), "r"(workers)
        : "memory");
    return any != 0;
  }

 private:
  [[nodiscard]] __device__ static int lane() {
    return static_cast<int>(threadIdx.x) - 32 * kServiceWarps;
  }

  /// The same object in the shared memory of another block of the cluster.
  template <class T>
  [[nodiscard]] __device__ static T* in_block(T* mine, std::uint32_t rank) {
#if __CUDA_ARCH__ >= 900
    T* theirs;
    asm("mapa.u64 %0, %1, %2;" : "=l"(theirs) : "l"(mine), "r"(rank));
    return theirs;
#else
    return mine;
#endif
  }

  __device__ static void store(std::uint32_t* to, std::uint32_t value, std::uint32_t is_cluster) {
#if __CUDA_ARCH__ >= 900
    if (is_cluster != 0) {
      asm volatile("st.release.cluster.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
      return;
    }
#endif
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
  }

  [[nodiscard]] __device__ static std::uint32_t load(const std::uint32_t* from, std::uint32_t is_cluster) {
    std::uint32_t value;
#if __CUDA_ARCH__ >= 900
    if (is_cluster != 0) {
      asm volatile("ld.acquire.cluster.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
      return value;
    }
#endif
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
  }

  /// All words of the order but its number, then that; to the blocks of a cluster by a warp each.
  __device__ static __noinline__ void post(ResidentBlock& block, const ResidentArguments& arguments,
                                           const BlockOrder& order, const std::byte* payload,
                                           std::uint32_t number) {
    constexpr std::uint32_t kHead = offsetof(BlockOrder, number) / 4;
    constexpr std::uint32_t kBytes = offsetof(BlockOrder, bytes) / 4;
    const auto lane = threadIdx.x % 32;
    const std::uint32_t boards = arguments.is_cluster != 0 ? arguments.blocks - 1 : 1;
    const std::uint32_t warps = blockDim.x / 32 - kServiceWarps;
    for (std::uint32_t board = threadIdx.x / 32 - kServiceWarps; board < boards; board += warps) {
      BlockOrder* const there =
          arguments.is_cluster != 0 ? in_block(&block.order, board + 1) : &arguments.blocks_memory->order;
      auto* const to = reinterpret_cast<std::uint32_t*>(there);
      for (std::uint32_t i = lane; i < kHead; i += 32)
        to[i] = reinterpret_cast<const std::uint32_t*>(&order)[i];
      for (std::uint32_t i = lane; payload != nullptr && i < Slot::kMostCellBytes / 4; i += 32)
        to[kBytes + i] = reinterpret_cast<const std::uint32_t*>(payload)[i];
      __syncwarp();
      if (lane == 0) store(&there->number, number, arguments.is_cluster);
    }
    __syncwarp();
  }

  __device__ void gather_round(std::uint32_t says, bool shows_host) {
    ++meetings_;
    told_ = 0;
    sync_block(workers_);
    // By the warp that says that all of the block have come, for all of them.
    if (lane() < 32 && shows_host) __threadfence_system();
    if (lane() < 32)
      arguments_.is_cluster != 0 ? meet_cluster(block_, arguments_, meetings_, says)
                                 : meet_grid(block_, arguments_, meetings_, says);
    sync_block(workers_);
  }

  /// By the first warp of workers: the first block's word comes to every block. Each half says whether it is
  /// there, so that nothing is waited for twice.
  __device__ static __noinline__ void pass_on(ResidentBlock& block, const ResidentArguments& arguments,
                                              std::uint32_t number, std::uint64_t known) {
    const auto lane = threadIdx.x % 32;
    known = __shfl_sync(~0U, known, 0);
    std::uint64_t half = std::uint64_t{number} << 32U | (lane % 2 == 0 ? known & ~0U : known >> 32U);
    Tidings& here = block.tidings[number % 2];
    volatile std::uint64_t& common = arguments.blocks_memory->tidings[number % 2].halves[lane % 2];
    if (blockIdx.x == 0 && arguments.is_cluster != 0) {
      for (std::uint32_t other = lane / 2; other < arguments.blocks; other += 16)
        const_cast<volatile std::uint64_t&>(in_block(&here, other)->halves[lane % 2]) = half;
    } else if (arguments.is_cluster == 0 && lane < 2) {
      if (blockIdx.x == 0) common = half;
      while (blockIdx.x != 0 && (half = common) >> 32U != number) {
      }
      const_cast<volatile std::uint64_t&>(here.halves[lane]) = half;
    }
    __syncwarp();
  }

  /// Every block writes to every other that it has come, and looks who has.
  __device__ static __noinline__ void meet_cluster(ResidentBlock& block, const ResidentArguments& arguments,
                                                   std::uint32_t meeting, std::uint32_t says) {
    const auto other = threadIdx.x % 32;
    std::uint32_t said = 0;
    if (other < arguments.blocks) {
      store(in_block(&block.arrivals[blockIdx.x], other), meeting << kSaid | says, 1);
      std::uint32_t arrival = 0;
      // The next meeting's may be there already: that block had seen all of this one's.
      do arrival = load(&block.arrivals[other], 1);
      while (static_cast<std::int32_t>((arrival & ~((1U << kSaid) - 1)) - (meeting << kSaid)) < 0);
      said = arrival & ((1U << kSaid) - 1);
    }
    if (__any_sync(~0U, said != 0) != 0)
      for (int step = 16; step > 0; step /= 2) said |= __shfl_xor_sync(~0U, said, step);
    if (other == 0) const_cast<volatile std::uint32_t&>(block.said) = said;
    __syncwarp();
  }

  __device__ static __noinline__ void meet_grid(ResidentBlock& block, const ResidentArguments& arguments,
                                                std::uint32_t meeting, std::uint32_t says) {
    BlocksMemory& memory = *arguments.blocks_memory;
    if (threadIdx.x % 32 == 0) {
      if (says != 0) atomicOr(&memory.says, says);
      arrive(memory);
      // The first meeting was when all had come.
      while (static_cast<std::int32_t>(load(&memory.arrivals, 0) - (meeting + 1) * arguments.blocks) < 0) {
      }
      const_cast<volatile std::uint32_t&>(block.said) = const_cast<volatile std::uint32_t&>(memory.says);
    }
    __syncwarp();
  }

  __device__ static void arrive(BlocksMemory& memory) {
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(&memory.arrivals) : "memory");
  }

  __device__ bool wait_for_grid() {
    if (lane() == 0) {
      BlocksMemory& memory = *arguments_.blocks_memory;
      arrive(memory);
      std::uint32_t arrivals = 0;
      do arrivals = load(&memory.arrivals, 0);
      while (leads() && arrivals < arguments_.blocks &&
             block_.command < static_cast<std::uint32_t>(Command::end));
      block_.said = !leads() || arrivals >= arguments_.blocks ? 1 : 0;
    }
    sync_block(workers_);
    return const_cast<volatile std::uint32_t&>(block_.said) != 0;
  }

  ResidentBlock& block_;
  const ResidentArguments& arguments_;
  int workers_;
  int count_;
  std::uint32_t orders_ = 0;
  std::uint32_t meetings_ = 0;
  std::uint32_t tellings_ = 0;
  std::uint32_t told_ = 0;  // since the last meeting
};

}  // namespace ringwave::ring::cuda
