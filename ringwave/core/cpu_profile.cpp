// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cpu_profile.hpp"

#include <cpuid.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace ringwave {
namespace {

std::string model_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

std::string instruction_set() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0) return "AVX-512";
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) return "AVX2";
  if (__builtin_cpu_supports("sse4.2") != 0) return "SSE4.2";
  return "SSE2";
#else
  return "unknown";
#endif
}

std::uint64_t meminfo_bytes(const std::string& key) {
  std::ifstream info("/proc/meminfo");
  std::uint64_t kilobytes = 0;
  for (std::string word; info >> word;)
    if (word == key && info >> kilobytes) return kilobytes * 1024;
  return 0;
}

}  // namespace

DeviceProfile read_cpu_profile() {
  DeviceProfile profile;
  profile.name = model_name();
  profile.cores = usable_cores();
  profile.instruction_set = instruction_set();
  profile.memory_bytes = meminfo_bytes("MemTotal:");
  for (const int level : {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE})
    if (const long bytes = sysconf(level); bytes > 0)
      profile.cache_bytes.push_back(static_cast<std::uint64_t>(bytes));
  return profile;
}

MemoryInfo read_cpu_memory() {
  return {meminfo_bytes("MemAvailable:"), meminfo_bytes("MemTotal:")};
}

bool stores_whole_lines() noexcept {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kMovdir64b = 1U << 28U;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & kMovdir64b) != 0;
}

}  // namespace ringwave
