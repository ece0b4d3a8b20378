// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

/// Loads and stores that another device, or the host, sees, each as a whole and at once. They order nothing.
///
/// Sixteen bytes go as one value of 128 bits, which the memory model keeps whole.
namespace ringwave::ring::cuda {

__device__ inline uint4 bus_load(const void* from) {
  uint4 value;
  asm volatile(
      "{ .reg .b128 all; .reg .b64 low, high; ld.relaxed.sys.global.b128 all, [%4]; mov.b128 {low, high}, "
      "all; "
      "mov.b64 {%0, %1}, low; mov.b64 {%2, %3}, high; }"
      : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
      : "l"(from)
      : "memory");
  return value;
}

/// The same of a word; what was written before that was is seen by what this thread loads after it. Takes
/// less than a fence, because nothing of its own is waited for.
__device__ inline std::uint32_t bus_load_acquire(const void* from) {
  std::uint32_t value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

__device__ inline std::uint32_t bus_load32(const std::uint32_t* from) {
  std::uint32_t value;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}

__device__ inline std::uint64_t bus_load64(const std::uint64_t* from) {
  unsigned long long value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}

__device__ inline void bus_store(void* to, uint4 value) {
  const unsigned long long low = static_cast<unsigned long long>(value.y) << 32U | value.x;
  const unsigned long long high = static_cast<unsigned long long>(value.w) << 32U | value.z;
  asm volatile("{ .reg .b128 t; mov.b128 t, {%1, %2}; st.relaxed.sys.global.b128 [%0], t; }" ::"l"(to),
               "l"(low), "l"(high)
               : "memory");
}

__device__ inline void bus_store64(void* to, std::uint64_t value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}

__device__ inline void bus_store32(void* to, std::uint32_t value) {
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

/// The device's clock in nanoseconds; on an H200 it moves in steps of 32.
__device__ inline std::int64_t device_now_ns() {
  std::int64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

}  // namespace ringwave::ring::cuda
