// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "ringwave/core/device_profile.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/core/task.hpp"

/// What a backend implements for its devices, and nobody else calls: users hold Device, Queue, Event, Graph,
/// Buffer.
namespace ringwave {

/// A point in a queue's work.
class EventRuntime {
 public:
  virtual ~EventRuntime() = default;
  [[nodiscard]] virtual bool done() const noexcept = 0;
  virtual void wait() const = 0;
  /// Milliseconds from `earlier`, an event of the same backend, to this one; both are done.
  [[nodiscard]] virtual double milliseconds_since(const EventRuntime& earlier) const = 0;
};

/// Captured work.
class GraphRuntime {
 public:
  virtual ~GraphRuntime() = default;
  [[nodiscard]] virtual std::size_t nodes() const noexcept = 0;
};

/// Ordered work on one device.
class QueueRuntime {
 public:
  virtual ~QueueRuntime() = default;
  virtual void submit(const Task& task) = 0;
  [[nodiscard]] virtual Status try_submit(const Task& task) noexcept = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void fill(void* to, std::byte value, std::size_t bytes) = 0;
  [[nodiscard]] virtual std::unique_ptr<EventRuntime> make_event() = 0;
  virtual void record(EventRuntime& event) = 0;
  virtual void wait_for(const EventRuntime& event) = 0;
  virtual void synchronize() = 0;
  virtual void begin_capture() = 0;
  [[nodiscard]] virtual std::unique_ptr<GraphRuntime> end_capture() = 0;
  virtual Status launch(const GraphRuntime& graph) noexcept = 0;
  [[nodiscard]] virtual NativeQueue native() const noexcept = 0;
  [[nodiscard]] virtual Status status() const noexcept = 0;
};

/// One device. Lives from its discovery until the program ends.
class DeviceRuntime {
 public:
  virtual ~DeviceRuntime() = default;
  [[nodiscard]] virtual const DeviceProfile& profile() const noexcept = 0;
  [[nodiscard]] virtual Bandwidth measure_bandwidth() = 0;
  [[nodiscard]] virtual MemoryInfo memory() const = 0;
  [[nodiscard]] virtual Sensors sensors() const = 0;
  /// Why the host cannot store into the device's memory directly, in one sentence; empty where it can.
  [[nodiscard]] virtual std::string why_no_window() = 0;
  [[nodiscard]] virtual bool lost() const noexcept = 0;
  /// Device memory, aligned to 256 bytes. Throws OutOfMemory.
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  /// Host memory that the device reads and writes directly, aligned to 64 bytes. Throws OutOfMemory.
  [[nodiscard]] virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(void* memory) noexcept = 0;
  /// True where device and host memory are one, so that nothing needs a copy.
  [[nodiscard]] virtual bool unified() const noexcept = 0;
  [[nodiscard]] virtual std::unique_ptr<QueueRuntime> make_queue(std::size_t depth) = 0;
};

}  // namespace ringwave
