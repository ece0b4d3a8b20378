// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cuda/cuda_queue.cuh"

#include <algorithm>

#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/device_scope.cuh"

namespace ringwave::cuda {
namespace {

class CudaEvent final : public EventRuntime {
 public:
  explicit CudaEvent(CudaRuntime& device) : device_(device) {}

  [[nodiscard]] bool done() const noexcept override { return cudaEventQuery(get()) != cudaErrorNotReady; }
  void wait() const override { device_.require(cudaEventSynchronize(get()), "waiting for an event"); }
  [[nodiscard]] double milliseconds_since(const EventRuntime& earlier) const override {
    float ms = 0;
    const cudaError_t error = cudaEventElapsedTime(&ms, of_cuda(earlier).get(), get());
    if (error == cudaErrorNotReady || error == cudaErrorInvalidResourceHandle) {
      (void)cudaGetLastError();
      throw InvalidState(
          "time between two events was asked for, but one is not recorded and done; wait() for both");
    }
    device_.require(error, "timing between two events");
    return static_cast<double>(ms);
  }
  static const CudaEvent& of_cuda(const EventRuntime& event) {
    const auto* found = dynamic_cast<const CudaEvent*>(&event);
    if (found == nullptr)
      throw InvalidArgument(
          "an event of another device was used on a GPU; make one with a queue of that GPU");
    return *found;
  }
  [[nodiscard]] cudaEvent_t get() const noexcept { return event_.get(); }

 private:
  CudaRuntime& device_;
  StreamEvent event_ = StreamEvent::with_time();
};

class CudaGraph final : public GraphRuntime {
 public:
  CudaGraph(CudaRuntime& device, cudaGraph_t graph) {
    const cudaError_t counted = cudaGraphGetNodes(graph, nullptr, &nodes_);
    const cudaError_t made = cudaGraphInstantiate(&exec_, graph, 0);
    (void)cudaGraphDestroy(graph);
    device.require(counted, "counting the nodes of a graph");
    device.require(made, "preparing a captured graph");
  }
  ~CudaGraph() override { (void)cudaGraphExecDestroy(exec_); }
  CudaGraph(const CudaGraph&) = delete;  // work in flight names it
  CudaGraph& operator=(const CudaGraph&) = delete;

  [[nodiscard]] std::size_t nodes() const noexcept override { return nodes_; }
  [[nodiscard]] cudaGraphExec_t get() const noexcept { return exec_; }

 private:
  cudaGraphExec_t exec_ = nullptr;
  std::size_t nodes_ = 0;
};

/// The longest that divides `depth` and is at most half of it.
std::size_t stretch_of(std::size_t depth) noexcept {
  std::size_t stretch = std::max<std::size_t>(depth / 2, 1);
  while (depth % stretch != 0) --stretch;
  return stretch;
}

}  // namespace

CudaQueue::CudaQueue(CudaRuntime& device, std::size_t depth)
    : device_(device), stretch_(stretch_of(depth)), events_(depth / stretch_), left_(stretch_) {}

CudaQueue::~CudaQueue() {
  const DeviceScope scope(device_.index());
  (void)cudaStreamSynchronize(stream_.get());
}

void CudaQueue::require(cudaError_t error, const char* asked) {
  device_.require(error, std::string(asked) + " on cuda:" + std::to_string(device_.index()));
}

bool CudaQueue::has_room() noexcept {
  if (!begins_stretch()) return true;
  const cudaError_t error = cudaEventQuery(events_[current_].get());
  if (error == cudaErrorNotReady) return false;
  return device_.note(error) == Status::ok;
}

void CudaQueue::run(const Task& task) noexcept {
  const DeviceScope scope(device_.index());
  task(stream_.get());
  if (capturing_ || --left_ > 0) return;
  (void)device_.note(cudaGetLastError());  // of all tasks of the stretch
  (void)device_.note(cudaEventRecord(events_[current_].get(), stream_.get()));
  current_ = current_ + 1 < events_.size() ? current_ + 1 : 0;
  left_ = stretch_;
}

void CudaQueue::submit(const Task& task) {
  if (!capturing_ && begins_stretch())
    require(cudaEventSynchronize(events_[current_].get()), "waiting for room in a queue");
  run(task);
  if (device_.lost()) require(cudaErrorDevicesUnavailable, "submitting a task");
}

Status CudaQueue::try_submit(const Task& task) noexcept {
  if (device_.lost()) return Status::device_lost;
  if (!capturing_ && !has_room()) return device_.lost() ? Status::device_lost : Status::busy;
  run(task);
  return status();
}

void CudaQueue::copy(void* to, const void* from, std::size_t bytes) {
  const DeviceScope scope(device_.index());
  require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_.get()), "copying");
}

void CudaQueue::fill(void* to, std::byte value, std::size_t bytes) {
  const DeviceScope scope(device_.index());
  require(cudaMemsetAsync(to, std::to_integer<int>(value), bytes, stream_.get()), "filling memory");
}

std::unique_ptr<EventRuntime> CudaQueue::make_event() {
  const DeviceScope scope(device_.index());
  return std::make_unique<CudaEvent>(device_);
}

void CudaQueue::record(EventRuntime& event) {
  if (capturing_)
    throw InvalidState("an event was recorded while a graph is captured; record it around launch()");
  require(cudaEventRecord(CudaEvent::of_cuda(event).get(), stream_.get()), "recording an event");
}

void CudaQueue::wait_for(const EventRuntime& event) {
  if (capturing_) throw InvalidState("a wait was asked for while a graph is captured; wait before launch()");
  require(cudaStreamWaitEvent(stream_.get(), CudaEvent::of_cuda(event).get(), 0), "ordering two queues");
}

void CudaQueue::synchronize() {
  require(cudaStreamSynchronize(stream_.get()), "waiting for a queue");
}

void CudaQueue::begin_capture() {
  if (capturing_) throw InvalidState("a capture was begun inside a capture; end the first one before");
  require(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal), "beginning a capture");
  capturing_ = true;
}

std::unique_ptr<GraphRuntime> CudaQueue::end_capture() {
  capturing_ = false;
  cudaGraph_t graph = nullptr;
  require(cudaStreamEndCapture(stream_.get(), &graph), "ending a capture");
  const DeviceScope scope(device_.index());
  return std::make_unique<CudaGraph>(device_, graph);
}

Status CudaQueue::launch(const GraphRuntime& graph) noexcept {
  if (device_.lost()) return Status::device_lost;
  if (!has_room()) return device_.lost() ? Status::device_lost : Status::busy;
  const cudaGraphExec_t exec = static_cast<const CudaGraph&>(graph).get();
  cudaError_t error = cudaSuccess;
  run([exec, error = &error](NativeQueue stream) noexcept {
    *error = cudaGraphLaunch(exec, static_cast<cudaStream_t>(stream));
  });
  return error == cudaSuccess ? status() : device_.note(error);
}

Status CudaQueue::status() const noexcept {
  return device_.lost() ? Status::device_lost : Status::ok;
}

}  // namespace ringwave::cuda
