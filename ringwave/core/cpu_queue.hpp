// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "ringwave/core/device_runtime.hpp"
#include "ringwave/core/spsc_ring.hpp"

namespace ringwave {

/// A worker thread that runs tasks in order. It spins for some tens of microseconds after its last task, then
/// looks every millisecond, so that an audio thread can hand it work without a system call.
class CpuQueue final : public QueueRuntime {
 public:
  explicit CpuQueue(std::size_t depth);
  ~CpuQueue() override;

  void submit(const Task& task) override;
  [[nodiscard]] Status try_submit(const Task& task) noexcept override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void fill(void* to, std::byte value, std::size_t bytes) override;
  [[nodiscard]] std::unique_ptr<EventRuntime> make_event() override;
  void record(EventRuntime& event) override;
  void wait_for(const EventRuntime& event) override;
  void synchronize() override;
  void begin_capture() override;
  [[nodiscard]] std::unique_ptr<GraphRuntime> end_capture() override;
  Status launch(const GraphRuntime& graph) noexcept override;
  [[nodiscard]] NativeQueue native() const noexcept override { return nullptr; }
  [[nodiscard]] Status status() const noexcept override { return Status::ok; }

 private:
  void work() noexcept;
  void wake() noexcept;

  std::size_t depth_;
  SpscRing<Task> tasks_;
  std::uint64_t submitted_ = 0;  // the submitting thread's count
  std::atomic<std::uint64_t> completed_{0};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> asleep_{false};  // so that a busy worker collects no wake-ups
  std::counting_semaphore<> wake_{0};
  std::unique_ptr<std::vector<Task>> capture_;
  std::thread worker_;
};

}  // namespace ringwave
