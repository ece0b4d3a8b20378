// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/fork_watch.hpp"

#include <pthread.h>

#include <atomic>

namespace ringwave::ring {
namespace {

std::atomic<std::uint32_t> generation{0};
const int watching = pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1); });

}  // namespace

std::uint32_t fork_generation() noexcept {
  (void)watching;
  return generation.load(std::memory_order_relaxed);
}

}  // namespace ringwave::ring
