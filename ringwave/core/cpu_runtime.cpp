// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cpu_runtime.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "ringwave/core/cpu_profile.hpp"
#include "ringwave/core/cpu_queue.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

constexpr std::align_val_t kAlignment{256};

}  // namespace

CpuRuntime::CpuRuntime() : profile_(read_cpu_profile()) {}

Bandwidth CpuRuntime::measure_bandwidth() {
  constexpr std::size_t kBytes = std::size_t{64}
                                 << 20;  // past every cache of today but a server's third level
  std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes, 2);
  double best_seconds = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(to.data(), from.data(), kBytes);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best_seconds = std::min(best_seconds, elapsed.count());
    from[static_cast<std::size_t>(round)] = to[kBytes - 1];
  }
  Bandwidth bandwidth;
  bandwidth.memory_gbs = 2.0 * static_cast<double>(kBytes) / best_seconds * 1e-9;
  return bandwidth;
}

MemoryInfo CpuRuntime::memory() const {
  return read_cpu_memory();
}

void* CpuRuntime::allocate(std::size_t bytes) {
  try {
    return ::operator new(bytes, kAlignment);
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(std::to_string(bytes) +
                      " bytes were asked for on the CPU, and the system has no room for them");
  }
}

void CpuRuntime::release(void* memory) noexcept {
  ::operator delete(memory, kAlignment);
}

std::unique_ptr<QueueRuntime> CpuRuntime::make_queue(std::size_t depth) {
  return std::make_unique<CpuQueue>(depth);
}

}  // namespace ringwave
