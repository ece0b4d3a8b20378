// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/stream_event.cuh"
#include "ringwave/core/device_runtime.hpp"

namespace ringwave::cuda {

class CudaRuntime;

/// A stream with a bound on how many tasks are in flight. The `depth` places stand in a ring of stretches, up
/// to half of it long, and an event follows the last task of each: with an event a task, small transforms ran
/// at two thirds of their speed. So a full queue has room again when its oldest stretch is done. A task runs
/// at once on the calling thread; what it launches on the stream is the work.
class CudaQueue final : public QueueRuntime {
 public:
  CudaQueue(CudaRuntime& device, std::size_t depth);
  ~CudaQueue() override;

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
  [[nodiscard]] NativeQueue native() const noexcept override { return stream_.get(); }
  [[nodiscard]] Status status() const noexcept override;

 private:
  /// Throws where `error` is one, after marking the device lost if it is.
  void require(cudaError_t error, const char* asked);
  /// False where the next task begins a stretch that is still in flight.
  [[nodiscard]] bool has_room() noexcept;
  [[nodiscard]] bool begins_stretch() const noexcept { return left_ == stretch_; }
  void run(const Task& task) noexcept;

  CudaRuntime& device_;
  Stream stream_;
  std::size_t stretch_;              // tasks
  std::vector<StreamEvent> events_;  // one a stretch
  std::size_t current_ = 0;          // stretch of the next task
  std::size_t left_;                 // tasks of it that are still to come
  bool capturing_ = false;
};

}  // namespace ringwave::cuda
