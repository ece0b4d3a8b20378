// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cpu_queue.hpp"

#include <chrono>
#include <cstring>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Recorded and reached are counts, so that one event can be recorded again and again.
class CpuEvent final : public EventRuntime {
 public:
  [[nodiscard]] bool done() const noexcept override {
    return reached_.load(std::memory_order_acquire) == recorded_.load(std::memory_order_acquire);
  }

  void wait() const override {
    for (auto seen = reached_.load(std::memory_order_acquire);
         seen != recorded_.load(std::memory_order_acquire); seen = reached_.load(std::memory_order_acquire))
      reached_.wait(seen, std::memory_order_acquire);
  }

  [[nodiscard]] double milliseconds_since(const EventRuntime& earlier) const override {
    const auto& other = dynamic_cast<const CpuEvent&>(earlier);
    if (!measurable() || !other.measurable())
      throw InvalidState(
          "time between two events was asked for, but one is not recorded and done; wait() for both");
    const auto nanoseconds =
        time_ns_.load(std::memory_order_relaxed) - other.time_ns_.load(std::memory_order_relaxed);
    return static_cast<double>(nanoseconds) * 1e-6;
  }

  void mark_recorded() noexcept { recorded_.fetch_add(1, std::memory_order_acq_rel); }

  void mark_reached() noexcept {
    time_ns_.store(std::chrono::nanoseconds(SteadyClock::now().time_since_epoch()).count(),
                   std::memory_order_relaxed);
    reached_.fetch_add(1, std::memory_order_acq_rel);
    reached_.notify_all();
  }

 private:
  [[nodiscard]] bool measurable() const noexcept {
    return recorded_.load(std::memory_order_acquire) != 0 && done();
  }

  std::atomic<std::uint64_t> recorded_{0};
  std::atomic<std::uint64_t> reached_{0};
  std::atomic<std::int64_t> time_ns_{0};
};

class CpuGraph final : public GraphRuntime {
 public:
  explicit CpuGraph(std::vector<Task> tasks) : tasks_(std::move(tasks)) {}
  [[nodiscard]] std::size_t nodes() const noexcept override { return tasks_.size(); }
  void run() const noexcept {
    for (const Task& task : tasks_) task(nullptr);
  }

 private:
  std::vector<Task> tasks_;
};

void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

CpuQueue::CpuQueue(std::size_t depth) : depth_(depth), tasks_(depth), worker_([this] { work(); }) {}

CpuQueue::~CpuQueue() {
  stopping_.store(true, std::memory_order_release);
  wake_.release();
  worker_.join();
}

void CpuQueue::work() noexcept {
  constexpr int kSpins = 1000;
  constexpr std::chrono::milliseconds kLook{1};
  Task task;
  for (int idle = 0;;) {
    if (tasks_.try_pop(task)) {
      task(nullptr);
      completed_.fetch_add(1, std::memory_order_acq_rel);
      completed_.notify_all();
      idle = 0;
    } else if (stopping_.load(std::memory_order_acquire)) {
      // A task may have come between the empty look and the order to stop.
      if (tasks_.size() == 0) return;
    } else if (++idle < kSpins) {
      relax();
    } else {
      (void)wake_.try_acquire_for(kLook);
    }
  }
}

void CpuQueue::submit(const Task& task) {
  if (capture_) {
    (void)try_submit(task);
    return;
  }
  for (auto seen = completed_.load(std::memory_order_acquire); submitted_ - seen >= depth_;
       seen = completed_.load(std::memory_order_acquire))
    completed_.wait(seen, std::memory_order_acquire);
  (void)try_submit(task);
  wake_.release();
}

bool CpuQueue::try_submit(const Task& task) noexcept {
  if (capture_) {
    capture_->push_back(task);  // capturing is setup: it may allocate
    return true;
  }
  if (submitted_ - completed_.load(std::memory_order_acquire) >= depth_) return false;
  if (!tasks_.try_push(task)) return false;
  ++submitted_;
  return true;
}

void CpuQueue::copy(void* to, const void* from, std::size_t bytes) {
  submit([=](NativeQueue) noexcept { std::memcpy(to, from, bytes); });
}

void CpuQueue::fill(void* to, std::byte value, std::size_t bytes) {
  submit([=](NativeQueue) noexcept { std::memset(to, std::to_integer<int>(value), bytes); });
}

std::unique_ptr<EventRuntime> CpuQueue::make_event() {
  return std::make_unique<CpuEvent>();
}

void CpuQueue::record(EventRuntime& event) {
  if (capture_)
    throw InvalidState("an event was recorded while a graph is captured; record it around launch()");
  auto* cpu_event = &dynamic_cast<CpuEvent&>(event);
  cpu_event->mark_recorded();
  submit([cpu_event](NativeQueue) noexcept { cpu_event->mark_reached(); });
}

void CpuQueue::wait_for(const EventRuntime& event) {
  submit([event = &event](NativeQueue) noexcept { event->wait(); });
}

void CpuQueue::synchronize() {
  wake_.release();  // try_submit() and launch() leave an idle worker asleep
  for (auto seen = completed_.load(std::memory_order_acquire); seen != submitted_;
       seen = completed_.load(std::memory_order_acquire))
    completed_.wait(seen, std::memory_order_acquire);
}

void CpuQueue::begin_capture() {
  if (capture_) throw InvalidState("a capture was begun inside a capture; end the first one before");
  capture_ = std::make_unique<std::vector<Task>>();
}

std::unique_ptr<GraphRuntime> CpuQueue::end_capture() {
  const auto tasks = std::move(capture_);
  return std::make_unique<CpuGraph>(std::move(*tasks));
}

Status CpuQueue::launch(const GraphRuntime& graph) noexcept {
  const auto* cpu_graph = static_cast<const CpuGraph*>(&graph);
  return try_submit([cpu_graph](NativeQueue) noexcept { cpu_graph->run(); }) ? Status::ok : Status::busy;
}

}  // namespace ringwave
