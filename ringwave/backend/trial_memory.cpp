// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/trial_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::backend {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

void fill_with_noise(std::span<float> samples) {
  std::minstd_rand random(1);
  for (float& sample : samples)
    sample = static_cast<float>(random()) / static_cast<float>(std::minstd_rand::max()) - 0.5F;
}

TrialMemory::TrialMemory(std::size_t samples) {
  const std::size_t pages = (samples * sizeof(float) + kHugePage - 1) / kHugePage;
  mapped_bytes_ = (pages + 1) * kHugePage;  // one more, to begin at a huge page's edge
  mapping_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED)
    throw OutOfMemory("a trial needs " + std::to_string(mapped_bytes_ >> 20) +
                      " MiB of host memory, and the system refused them; measure smaller sizes");
  void* begin = mapping_;
  std::size_t room = mapped_bytes_;
  std::align(kHugePage, pages * kHugePage, begin, room);
  (void)madvise(begin, pages * kHugePage, MADV_HUGEPAGE);  // a wish: small pages work too
  samples_ = {static_cast<float*>(begin), samples};
  std::fill(samples_.begin(), samples_.end(), 0.0F);
}

TrialMemory::~TrialMemory() {
  munmap(mapping_, mapped_bytes_);
}

}  // namespace ringwave::backend
