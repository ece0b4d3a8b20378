// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace ringwave::bench {

/// Waits by looking again at once, and gives the core away now and then: on a machine with more threads than
/// cores a pure spin would keep the other side from running. [any]
class SpinWait {
 public:
  void operator()() noexcept {
    if (++spins_ % 1024 == 0) std::this_thread::yield();
  }

 private:
  unsigned spins_ = 0;
};

/// Runs `here` on this thread and `there` on another, from the same moment on, and returns the nanoseconds
/// until both are done; the making of the thread is not in them. [setup]
template <class Here, class There>
[[nodiscard]] double race(Here&& here, There&& there) {
  std::atomic<bool> ready{false};
  std::atomic<bool> go{false};
  std::atomic<bool> done{false};
  std::thread other([&] {
    ready.store(true, std::memory_order_release);
    for (SpinWait wait; !go.load(std::memory_order_acquire); wait()) {
    }
    there();
    done.store(true, std::memory_order_release);
  });
  for (SpinWait wait; !ready.load(std::memory_order_acquire); wait()) {
  }
  const auto begin = std::chrono::steady_clock::now();
  go.store(true, std::memory_order_release);
  here();
  for (SpinWait wait; !done.load(std::memory_order_acquire); wait()) {
  }
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
  other.join();
  return elapsed.count();
}

}  // namespace ringwave::bench
