// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cpu_queue.hpp"

#include <chrono>
#include <cstring>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/relax.hpp"

namespace ringwave {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// What an event shares with the tasks that reach it or wait for it: the last of them to leave deletes it, so
/// that an event may be dropped while it is pending. Recorded and reached are counts, so that it can be
/// recorded again and again.
class Point {
 public:
  void join() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
  void leave() noexcept {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  [[nodiscard]] std::uint64_t recorded() const noexcept { return recorded_.load(std::memory_order_acquire); }
  [[nodiscard]] bool reached(std::uint64_t record) const noexcept {
    return reached_.load(std::memory_order_acquire) >= record;
  }
  [[nodiscard]] std::int64_t time_ns() const noexcept { return time_ns_.load(std::memory_order_relaxed); }

  void wait(std::uint64_t record) const noexcept {
    for (auto seen = reached_.load(std::memory_order_acquire); seen < record;
         seen = reached_.load(std::memory_order_acquire))
      reached_.wait(seen, std::memory_order_acquire);
  }

  void mark_recorded() noexcept { recorded_.fetch_add(1, std::memory_order_acq_rel); }
  void mark_reached() noexcept {
    time_ns_.store(std::chrono::nanoseconds(SteadyClock::now().time_since_epoch()).count(),
                   std::memory_order_relaxed);
    reached_.fetch_add(1, std::memory_order_acq_rel);
    reached_.notify_all();
  }

 private:
  std::atomic<int> users_{1};
  std::atomic<std::uint64_t> recorded_{0};
  std::atomic<std::uint64_t> reached_{0};
  std::atomic<std::int64_t> time_ns_{0};
};

class CpuEvent final : public EventRuntime {
 public:
  CpuEvent() = default;
  ~CpuEvent() override { point_->leave(); }
  CpuEvent(const CpuEvent&) = delete;
  CpuEvent& operator=(const CpuEvent&) = delete;

  [[nodiscard]] bool done() const noexcept override { return point_->reached(point_->recorded()); }
  void wait() const override { point_->wait(point_->recorded()); }

  [[nodiscard]] double milliseconds_since(const EventRuntime& earlier) const override {
    const CpuEvent& other = of_cpu(earlier);
    if (!measurable() || !other.measurable())
      throw InvalidState(
          "time between two events was asked for, but one is not recorded and done; wait() for both");
    return static_cast<double>(point_->time_ns() - other.point_->time_ns()) * 1e-6;
  }

  static const CpuEvent& of_cpu(const EventRuntime& event) {
    const auto* found = dynamic_cast<const CpuEvent*>(&event);
    if (found == nullptr)
      throw InvalidArgument("an event of another device was used on cpu; make one with a queue of cpu");
    return *found;
  }

  [[nodiscard]] Point* point() const noexcept { return point_; }

 private:
  [[nodiscard]] bool measurable() const noexcept { return point_->recorded() != 0 && done(); }

  Point* point_ = new Point;
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

}  // namespace

CpuQueue::CpuQueue(std::size_t depth) : depth_(depth), tasks_(depth), worker_([this] { work(); }) {}

CpuQueue::~CpuQueue() {
  stopping_.store(true, std::memory_order_release);
  wake();
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
      asleep_.exchange(true);  // a full fence: either submit() sees it, or we see the task
      if (tasks_.size() == 0) (void)wake_.try_acquire_for(kLook);
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
  wake();
}

void CpuQueue::wake() noexcept {
  if (asleep_.exchange(false, std::memory_order_acq_rel)) wake_.release();
}

Status CpuQueue::try_submit(const Task& task) noexcept {
  if (capture_) {
    capture_->push_back(task);  // capturing is setup: it may allocate
    return Status::ok;
  }
  if (submitted_ - completed_.load(std::memory_order_acquire) >= depth_) return Status::busy;
  if (!tasks_.try_push(task)) return Status::busy;
  ++submitted_;
  return Status::ok;
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
  Point* point = CpuEvent::of_cpu(event).point();
  point->join();
  point->mark_recorded();
  submit([point](NativeQueue) noexcept {
    point->mark_reached();
    point->leave();
  });
}

void CpuQueue::wait_for(const EventRuntime& event) {
  if (capture_)
    throw InvalidState("an event was waited for while a graph is captured; wait for it before launch()");
  Point* point = CpuEvent::of_cpu(event).point();
  point->join();
  submit([point, record = point->recorded()](NativeQueue) noexcept {
    point->wait(record);
    point->leave();
  });
}

void CpuQueue::synchronize() {
  wake();  // try_submit() and launch() leave an idle worker asleep
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
  return try_submit([cpu_graph](NativeQueue) noexcept { cpu_graph->run(); });
}

}  // namespace ringwave
