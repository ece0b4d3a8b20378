// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <semaphore>
#include <thread>
#include <type_traits>
#include <vector>

#include "ringwave/core/realtime.hpp"

namespace ringwave {

/// Threads that share the parts of a job with the one that gives it:
///
///   WorkerCrew crew(4);
///   crew.run(40, [&](std::size_t part, int worker) noexcept { … });  // all 40 are done
///
/// The giver works along, and makes no system call and takes no lock: the others look for a job by
/// themselves, without a pause for some tens of microseconds after the last one, and then in naps of an
/// eighth of the time since. So of jobs that come regularly, a worker misses at most an eighth of the gap
/// between them.
class WorkerCrew {
 public:
  static constexpr int kMostWorkers = 256;

  /// How many workers give each core that the program may use one. [any]
  [[nodiscard]] static int one_a_core();

  /// `workers` in all, 1 to kMostWorkers, the giver of jobs among them as number 0. Throws InvalidArgument,
  /// and Error where the system gives no more threads. [setup]
  explicit WorkerCrew(int workers);
  ~WorkerCrew();
  WorkerCrew(const WorkerCrew&) = delete;  // its threads hold it by reference
  WorkerCrew& operator=(const WorkerCrew&) = delete;

  [[nodiscard]] int workers() const noexcept { return static_cast<int>(threads_.size()) + 1; }

  /// Calls `function(part, worker)` once for each part, in any order, and waits for the last to end. One
  /// thread at a time gives jobs. [audio]
  template <class Function>
  RW_REALTIME void run(std::size_t parts, const Function& function) noexcept {
    static_assert(std::is_nothrow_invocable_v<const Function&, std::size_t, int>,
                  "a job's parts run on several threads and cannot fail: make it noexcept");
    run({&function,
         [](const void* self, std::size_t part, int worker) noexcept {
           (*static_cast<const Function*>(self))(part, worker);
         },
         parts});
  }

 private:
  struct Job {
    const void* function = nullptr;
    void (*call)(const void*, std::size_t, int) noexcept = nullptr;
    std::size_t parts = 0;
  };

  void run(const Job& job) noexcept;
  void stop() noexcept;
  void look_for_jobs(int worker) noexcept;
  bool join(int worker) noexcept;
  void work(int worker) noexcept;

  Job job_{};                         // changes only while it is closed and nobody is inside
  std::atomic<bool> open_{false};     // there may be parts left
  std::atomic<int> inside_{0};        // workers that may look at the job
  std::atomic<std::size_t> next_{0};  // part
  std::atomic<bool> stopping_{false};
  std::counting_semaphore<> wake_{0};  // only to stop
  std::vector<std::thread> threads_;
};

}  // namespace ringwave
