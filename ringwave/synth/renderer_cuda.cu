// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "ringwave/core/cuda/captured_work.cuh"
#include "ringwave/core/cuda/completion_flag.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/stream_event.cuh"
#include "ringwave/synth/renderer_kernels_cuda.cuh"
#include "ringwave/synth/renderer_twins.hpp"

namespace ringwave::synth {
namespace {

constexpr std::size_t kBuffers = Renderer::kBlocksInFlight + 1;  // one more is being read
constexpr std::size_t kDirectBytes = 1 << 20;  // smaller blocks are written to the host by the kernel
constexpr int kPartStations = 1 << 14;         // of larger ones: a part is copied while the next is rendered

class RendererCuda final : public RendererTwin {
 public:
  RendererCuda(Device device, const RendererRequest& request)
      : device_(ringwave::cuda::CudaRuntime::of(device)),
        scope_(std::in_place, device_.index()),
        format_(request.format),
        frame_bytes_(2 *
                     (request.format == Renderer::Format::float32 ? sizeof(float) : sizeof(std::int16_t))),
        block_bytes_(static_cast<std::size_t>(request.stations) *
                     static_cast<std::size_t>(request.max_block_frames) * frame_bytes_),
        is_direct_(block_bytes_ <= kDirectBytes),
        as_graph_(request.as_graph),
        patches_(std::span<const VoiceRule::Constants>(request.patches)),
        header_(1),
        events_(static_cast<std::size_t>(request.max_events)),
        playing_(stations_of(request)),
        constants_(stations_of(request)),
        states_(stations_of(request)),
        memory_(stations_of(request) * static_cast<std::size_t>(StationRule::floats(request.rates))),
        voices_(stations_of(request) * static_cast<std::size_t>(request.voices)),
        patch_numbers_(voices_.size()),
        first_events_(voices_.size()),
        bus_(stations_of(request) * static_cast<std::size_t>(request.max_block_frames)) {
    device_.require(cudaMemset(first_events_.data(), 0xff, first_events_.bytes()), "preparing a renderer");
    device_.require(cudaDeviceSynchronize(), "preparing a renderer");
    layout_ = request.rates.space.layout;
    arrays_ = {.rates = request.rates,
               .patches = patches_.data(),
               .slots = request.voices,
               .floats = StationRule::floats(request.rates),
               .header = header_.data(),
               .events = events_.data(),
               .playing = playing_.data(),
               .constants = constants_.data(),
               .states = states_.data(),
               .memory = memory_.data(),
               .voices = voices_.data(),
               .patch_numbers = patch_numbers_.data(),
               .first_events = first_events_.data(),
               .bus = bus_.data()};
    for (int first = 0; first < request.stations; first += part_stations())
      parts_.push_back({first, std::min(part_stations(), request.stations - first)});
    rendered_ = std::vector<ringwave::cuda::StreamEvent>(parts_.size());
    for (auto& slot : slots_) slot = std::make_unique<Slot>(*this, request);
    warm_up();
    scope_.reset();
  }

  ~RendererCuda() override {
    const ringwave::cuda::DeviceScope scope(device_.index());
    (void)cudaStreamSynchronize(stream_.get());
    (void)cudaStreamSynchronize(copies_.get());
  }
  RendererCuda(const RendererCuda&) = delete;  // graphs name its arrays
  RendererCuda& operator=(const RendererCuda&) = delete;

  Status submit(const RenderJob& job) noexcept override {
    if (device_.lost()) return Status::device_lost;
    const ringwave::cuda::DeviceScope scope(device_.index());
    Slot& slot = *slots_[writing_];
    slot.take(job, layout_);
    const cudaError_t error = is_direct_ ? run_direct(slot) : run_in_parts(slot, job);
    if (error != cudaSuccess) return device_.note(error);
    writing_ = (writing_ + 1) % kBuffers;
    return Status::ok;
  }

  Status fetch() noexcept override {
    Slot& slot = *slots_[reading_];
    reading_ = (reading_ + 1) % kBuffers;
    last_ = &slot;
    if (device_.lost()) return Status::device_lost;
    const ringwave::cuda::DeviceScope scope(device_.index());
    return device_.note(slot.done.wait(is_direct_ ? stream_.get() : copies_.get()));
  }

  [[nodiscard]] const void* output() const noexcept override { return last_->output.data(); }

 private:
  static std::size_t stations_of(const RendererRequest& request) {
    return static_cast<std::size_t>(request.stations);
  }
  [[nodiscard]] int part_stations() const noexcept { return is_direct_ ? 1 << 20 : kPartStations; }

  /// What a block in flight needs of its own.
  struct Slot {
    Slot(const RendererCuda& owner, const RendererRequest& request)
        : header(1),
          events(static_cast<std::size_t>(request.max_events)),
          commands(Renderer::kMostCommands),
          on_device(owner.is_direct_ ? 0 : owner.block_bytes_),
          output(owner.block_bytes_) {
      for (std::size_t i = 0; i < owner.parts_.size(); ++i)
        graphs.push_back(std::make_unique<ringwave::cuda::CapturedWork>(
            owner.stream_.get(), [&](cudaStream_t stream) { return owner.enqueue(stream, *this, i); }));
    }

    /// Copies the orders to where the device reads them. [audio]
    void take(const RenderJob& job, const SpaceRule::Layout& layout) noexcept {
      RenderHeader& now = *header.data();
      now = {.clock = job.clock,
             .frames = job.frames,
             .stations = job.stations,
             .events = static_cast<int>(job.events.size()),
             .commands = static_cast<int>(job.commands.size()),
             .places = SpaceRule::places_at(layout, job.clock)};
      std::ranges::copy(job.events, events.data());
      std::ranges::copy(job.commands, commands.data());
    }

    ringwave::cuda::PinnedArray<RenderHeader> header;
    ringwave::cuda::PinnedArray<VoiceEvent> events;
    ringwave::cuda::PinnedArray<StationCommand> commands;
    ringwave::cuda::DeviceArray<std::byte> on_device;  // none where the kernel writes to the host itself
    ringwave::cuda::PinnedArray<std::byte> output;
    ringwave::cuda::CompletionFlag done;
    std::vector<std::unique_ptr<ringwave::cuda::CapturedWork>> graphs;  // one a part
  };

  /// The kernels of a part; the first one brings the orders.
  cudaError_t enqueue(cudaStream_t stream, const Slot& slot, std::size_t part) const noexcept {
    const StationRange range = parts_[part];
    cudaError_t error = cudaSuccess;
    if (part == 0)
      error = obey_orders(stream, arrays_, {slot.header.data(), slot.events.data(), slot.commands.data()});
    if (error == cudaSuccess) error = play_voices(stream, arrays_, range);
    void* const output = is_direct_ ? slot.output.data() : slot.on_device.data();
    if (error == cudaSuccess) error = shape_stations(stream, arrays_, range, format_, output);
    if (error == cudaSuccess && !is_direct_) error = measure_loudness(stream, arrays_, range);
    return error;
  }

  /// The kernel writes to the host; how loud it was is found out once the host has its block.
  cudaError_t run_direct(Slot& slot) noexcept {
    cudaError_t error = as_graph_ ? slot.graphs[0]->launch(stream_.get()) : enqueue(stream_.get(), slot, 0);
    if (error == cudaSuccess) error = slot.done.raise_in(stream_.get());
    if (error == cudaSuccess) error = measure_loudness(stream_.get(), arrays_, parts_[0]);
    return error;
  }

  cudaError_t run_in_parts(Slot& slot, const RenderJob& job) noexcept {
    const std::size_t row = static_cast<std::size_t>(job.frames) * frame_bytes_;
    cudaError_t error = cudaSuccess;
    for (std::size_t i = 0; i < parts_.size() && error == cudaSuccess; ++i) {
      const int count = std::min(parts_[i].count, job.stations - parts_[i].first);
      if (count <= 0 && i != 0) break;
      error = slot.graphs[i]->launch(stream_.get());
      if (error == cudaSuccess) error = cudaEventRecord(rendered_[i].get(), stream_.get());
      if (error == cudaSuccess) error = cudaStreamWaitEvent(copies_.get(), rendered_[i].get(), 0);
      const std::size_t first = static_cast<std::size_t>(parts_[i].first) * row;
      if (error == cudaSuccess && count > 0)
        error = cudaMemcpyAsync(slot.output.data() + first, slot.on_device.data() + first,
                                static_cast<std::size_t>(count) * row, cudaMemcpyDeviceToHost, copies_.get());
    }
    if (error == cudaSuccess) error = slot.done.raise_in(copies_.get());
    return error;
  }

  void warm_up() {
    for (std::size_t i = 0; i < kBuffers; ++i)
      if (submit({.frames = 1}) != Status::ok || fetch() != Status::ok)
        device_.require(cudaErrorUnknown, "rendering the first block");
  }

  ringwave::cuda::CudaRuntime& device_;
  std::optional<ringwave::cuda::DeviceScope> scope_;  // while the members below are made
  Renderer::Format format_;
  std::size_t frame_bytes_;
  std::size_t block_bytes_;
  bool is_direct_;
  bool as_graph_;
  ringwave::cuda::Stream stream_;
  ringwave::cuda::Stream copies_;
  ringwave::cuda::DeviceArray<VoiceRule::Constants> patches_;
  ringwave::cuda::DeviceArray<RenderHeader> header_;
  ringwave::cuda::DeviceArray<VoiceEvent> events_;
  ringwave::cuda::DeviceArray<std::uint8_t> playing_;
  ringwave::cuda::DeviceArray<StationRule::Constants> constants_;
  ringwave::cuda::DeviceArray<StationRule::State> states_;
  ringwave::cuda::DeviceArray<float> memory_;
  ringwave::cuda::DeviceArray<VoiceRule::State> voices_;
  ringwave::cuda::DeviceArray<std::uint8_t> patch_numbers_;
  ringwave::cuda::DeviceArray<int> first_events_;
  ringwave::cuda::DeviceArray<BusFrame> bus_;
  SpaceRule::Layout layout_;
  RenderArrays arrays_;
  std::vector<StationRange> parts_;
  std::vector<ringwave::cuda::StreamEvent> rendered_;  // one a part
  std::array<std::unique_ptr<Slot>, kBuffers> slots_;
  std::size_t writing_ = 0;
  std::size_t reading_ = 0;
  const Slot* last_ = nullptr;
};

}  // namespace

std::unique_ptr<RendererTwin> make_renderer_cuda(Device device, const RendererRequest& request) {
  return std::make_unique<RendererCuda>(device, request);
}

}  // namespace ringwave::synth
