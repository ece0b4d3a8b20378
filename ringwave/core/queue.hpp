// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "ringwave/core/device.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/core/task.hpp"

namespace ringwave {

class EventRuntime;
class GraphRuntime;
class Queue;
class QueueRuntime;

/// A point in a queue's work that others can wait for or measure from.
class Event {
 public:
  /// An event for queues of the same device. [setup]
  explicit Event(Queue& queue);
  ~Event();
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;

  /// True once all work before the last record() is done; true before the first. [any]
  [[nodiscard]] bool done() const noexcept;
  /// Waits until done(). Throws DeviceLost. [setup]
  void wait() const;
  /// Milliseconds of device time from `earlier` to this event. Throws InvalidState unless both are recorded
  /// and done. [setup]
  [[nodiscard]] double milliseconds_since(const Event& earlier) const;

 private:
  friend class Queue;
  std::unique_ptr<EventRuntime> runtime_;
};

/// Work that was captured once and is replayed in one go: on a GPU one launch for the whole block of work.
/// Addresses and sizes are fixed at capture; what should vary is read by the work from memory.
class Graph {
 public:
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  /// Pieces of work inside. [any]
  [[nodiscard]] std::size_t nodes() const noexcept;

 private:
  friend class Queue;
  explicit Graph(std::unique_ptr<GraphRuntime> runtime);
  std::unique_ptr<GraphRuntime> runtime_;
};

/// Ordered asynchronous work on one device: a stream on a GPU, a worker thread on the CPU.
///
/// At most `depth` tasks are in flight. One thread at a time may call it; its tasks see the effects of all
/// tasks before them. Destruction waits for what was submitted.
class Queue {
 public:
  struct Spec {
    std::size_t depth = 64;  ///< tasks in flight before submit() waits, 1 to 256
  };

  /// Throws InvalidArgument for `auto`, which names no device, or a depth out of range. [setup]
  Queue(Device device, Spec spec);
  explicit Queue(Device device) : Queue(device, Spec{}) {}
  ~Queue();
  Queue(Queue&&) noexcept;
  Queue& operator=(Queue&&) noexcept;

  /// Appends a task; waits while the queue is full. On a GPU the task runs at once, on the calling thread,
  /// and what it enqueues on the native stream is the work. Throws DeviceLost. [setup]
  void submit(const Task& task);

  /// Appends a task; `busy`, and nothing done, when the queue is full, `device_lost` when its device is.
  /// Never waits. An idle CPU worker sees it within a millisecond, because waking a thread is a system call.
  /// [audio]
  RW_REALTIME [[nodiscard]] Status try_submit(const Task& task) noexcept;

  /// Appends a copy; either side may be host or device memory. Copies with pageable host memory may wait.
  /// [setup]
  void copy(void* to, const void* from, std::size_t bytes);

  /// Appends the setting of every byte. [setup]
  void fill(void* to, std::byte value, std::size_t bytes);

  /// Marks this point of the work; waits while the queue is full. [setup]
  void record(Event& event);

  /// Work after this starts when `event` is done. [setup]
  void wait_for(const Event& event);

  /// Waits until everything submitted is done. Throws DeviceLost. [setup]
  void synchronize();

  /// Runs `work`, which submits to this queue, and keeps what it submits instead of doing it. Throws
  /// InvalidState for a capture inside a capture. [setup]
  template <class Work>
  [[nodiscard]] Graph capture(Work&& work) {
    begin_capture();
    try {
      work();
    } catch (...) {
      abandon_capture();
      throw;
    }
    return end_capture();
  }

  /// Replays captured work, which was captured on the same device and must live until it is done; `busy` when
  /// the queue is full. [audio]
  RW_REALTIME Status launch(const Graph& graph) noexcept;

  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] NativeQueue native() const noexcept;
  /// Tells queues apart, also after a move; another queue may get it once this one is destroyed. [any]
  [[nodiscard]] const void* identity() const noexcept { return runtime_.get(); }
  /// `ok`, or `device_lost`. [any]
  [[nodiscard]] Status status() const noexcept;

 private:
  friend class Event;
  void begin_capture();
  Graph end_capture();
  void abandon_capture() noexcept;

  Device device_;
  std::unique_ptr<QueueRuntime> runtime_;
};

}  // namespace ringwave
