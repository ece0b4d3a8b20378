// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/worker_crew.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>

#include "ringwave/core/device.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/relax.hpp"

namespace ringwave {

int WorkerCrew::one_a_core() {
  return std::clamp(Device::cpu().profile().cores, 1, kMostWorkers);
}

WorkerCrew::WorkerCrew(int workers) {
  if (workers < 1 || workers > kMostWorkers)
    throw InvalidArgument("a crew of " + std::to_string(workers) + " workers was asked for; use 1 to " +
                          std::to_string(kMostWorkers));
  threads_.reserve(static_cast<std::size_t>(workers - 1));
  try {
    for (int worker = 1; worker < workers; ++worker)
      threads_.emplace_back([this, worker] { look_for_jobs(worker); });
  } catch (const std::system_error&) {
    stop();
    throw Error("a crew of " + std::to_string(workers) + " workers was asked for, and the system gives " +
                std::to_string(threads_.size()) + " threads; ask for fewer");
  }
}

WorkerCrew::~WorkerCrew() {
  stop();
}

void WorkerCrew::stop() noexcept {
  stopping_.store(true, std::memory_order_release);
  wake_.release(static_cast<std::ptrdiff_t>(threads_.size()));
  for (std::thread& thread : threads_) thread.join();
}

void WorkerCrew::run(const Job& job) noexcept {
  if (threads_.empty() || job.parts < 2) {
    for (std::size_t part = 0; part < job.parts; ++part) job.call(job.function, part, 0);
    return;
  }
  job_ = job;
  next_.store(0, std::memory_order_relaxed);
  open_.store(true);  // who sees it sees the job
  work(0);
  open_.store(false);
  // Who came in before that is counted, and works on a part or leaves; who comes now sees that it is closed.
  while (inside_.load() != 0) relax();
}

void WorkerCrew::work(int worker) noexcept {
  for (std::size_t part = next_.fetch_add(1, std::memory_order_relaxed); part < job_.parts;
       part = next_.fetch_add(1, std::memory_order_relaxed))
    job_.call(job_.function, part, worker);
}

/// True where there was a job.
bool WorkerCrew::join(int worker) noexcept {
  if (!open_.load(std::memory_order_relaxed)) return false;
  inside_.fetch_add(1);
  const bool is_open = open_.load();
  if (is_open) work(worker);
  inside_.fetch_sub(1);
  return is_open;
}

void WorkerCrew::look_for_jobs(int worker) noexcept {
  using Clock = std::chrono::steady_clock;
  constexpr int kSpins = 1000;
  constexpr Clock::duration kLongestNap = std::chrono::milliseconds(1);
  while (!stopping_.load(std::memory_order_acquire)) {
    int idle = 0;
    while (idle < kSpins) {
      idle = join(worker) ? 0 : idle + 1;
      relax();
    }
    const auto since = Clock::now();
    while (!stopping_.load(std::memory_order_acquire)) {
      (void)wake_.try_acquire_for(std::min((Clock::now() - since) / 8, kLongestNap));
      if (join(worker)) break;
    }
  }
}

}  // namespace ringwave
