// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "ringwave/core/cuda/captured_work.cuh"
#include "ringwave/core/cuda/completion_flag.cuh"
#include "ringwave/core/cuda/cuda_runtime.cuh"
#include "ringwave/core/cuda/cufft.cuh"
#include "ringwave/core/cuda/device_scope.cuh"
#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/core/cuda/stream.cuh"
#include "ringwave/core/cuda/submit.cuh"
#include "ringwave/core/handover.hpp"
#include "ringwave/dsp/convolver_kernels_cuda.cuh"
#include "ringwave/dsp/convolver_response_cuda.cuh"
#include "ringwave/dsp/convolver_twins.hpp"

namespace ringwave::dsp {
namespace {

using convolver_cuda::Fade;
using convolver_cuda::product;
using convolver_cuda::Response;
using convolver_cuda::Shape;
using convolver_cuda::State;
using ringwave::cuda::CapturedWork;
using ringwave::cuda::DeviceArray;
using ringwave::cuda::DeviceScope;

Shape shape_of(const Convolver::Spec& spec, std::size_t paths, int processors) {
  Shape shape{};
  shape.inputs = spec.inputs;
  shape.outputs = spec.outputs;
  shape.paths = static_cast<int>(paths);
  shape.frames = convolver_part_frames(spec.max_block_frames);
  shape.parts = std::max(1, (spec.max_taps + shape.frames - 1) / shape.frames);
  shape.lanes = shape.frames / 2;
  // Enough blocks to fill the device, and enough parts in each to be worth one.
  const int wanted = std::max(1, 8 * processors / std::max(1, shape.paths));
  shape.splits = std::clamp(shape.parts / 16, 1, std::min(wanted, 256));
  shape.parts_per_split = (shape.parts + shape.splits - 1) / shape.splits;
  return shape;
}

class ConvolverCuda final : public ConvolverTwin {
 public:
  ConvolverCuda(Device device, const Convolver::Request& request)
      : device_(ringwave::cuda::CudaRuntime::of(device)),
        scope_(std::in_place, device_.index()),
        fade_frames_(std::max(1, request.spec.fade_frames)),
        max_frames_(request.spec.max_block_frames),
        shape_(shape_of(request.spec, request.paths.size(), device_.profile().cores)),
        host_in_(product(shape_.inputs, max_frames_)),
        host_out_(product(shape_.outputs, max_frames_)),
        pointers_(2),
        state_(1),
        taken_(product(shape_.inputs, 2LL * shape_.frames)),
        in_spectra_(product(shape_.inputs, shape_.frames + 1)),
        history_(product(shape_.inputs, shape_.parts, shape_.lanes)),
        partial_(product(shape_.paths, shape_.splits, shape_.lanes)),
        out_spectra_(product(shape_.outputs, shape_.frames + 1)),
        routes_(request.paths.size()),
        route_starts_(static_cast<std::size_t>(shape_.outputs) + 1),
        routes_by_output_(request.paths.size()),
        forward_(2 * shape_.frames, shape_.inputs, CUFFT_R2C, {1, 2 * shape_.frames}, {1, shape_.frames + 1}),
        inverse_(2 * shape_.frames, shape_.outputs, CUFFT_C2R, {1, shape_.frames + 1},
                 {1, 2 * shape_.frames}) {
    for (int set = 0; set < 2; ++set) {
      results_[set] = DeviceArray<float>(product(shape_.outputs, 2LL * shape_.frames));
      tails_[set] = DeviceArray<float>(product(shape_.outputs, shape_.frames));
    }
    upload_routes(request.paths);
    active_ = make_response(device_, shape_, request.paths);
    device_.require(point_to(*active_, 0), "preparing the response");
    scope_.reset();
    warm_up();
  }

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    if (device_.lost()) return Status::device_lost;
    const DeviceScope scope(device_.index());
    const int frames = in.frames();
    for (int i = 0; i < shape_.inputs; ++i)
      std::copy_n(in.channel(i).data(), frames, host_in_.data() + static_cast<std::ptrdiff_t>(i) * frames);
    cudaError_t error = launch(stream_.get(), {host_in_.data(), shape_.inputs, frames},
                               {host_out_.data(), shape_.outputs, frames});
    if (error == cudaSuccess) error = done_.raise_in(stream_.get());
    if (error == cudaSuccess) error = done_.wait(stream_.get());
    if (error != cudaSuccess) return device_.note(error);
    for (int o = 0; o < shape_.outputs; ++o)
      std::copy_n(host_out_.data() + static_cast<std::ptrdiff_t>(o) * frames, frames, out.channel(o).data());
    return Status::ok;
  }

  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept override {
    return ringwave::cuda::submit(device_, queue,
                                  [&](cudaStream_t stream) noexcept { return launch(stream, in, out); });
  }

  void set_responses(std::span<const Convolver::Path> paths) override {
    const DeviceScope scope(device_.index());
    handover_.offer(make_response(device_, shape_, paths));
  }

  [[nodiscard]] bool changing() const noexcept override { return handover_.busy(); }

  void reset() noexcept override {
    if (device_.lost()) return;
    const DeviceScope scope(device_.index());
    (void)device_.note(reset_in(stream_.get()));
  }

  Status enqueue_reset(Queue& queue) noexcept override {
    return ringwave::cuda::submit(device_, queue,
                                  [this](cudaStream_t stream) noexcept { return reset_in(stream); });
  }

  [[nodiscard]] std::uint64_t nonfinite_samples() const override {
    const DeviceScope scope(device_.index());
    State state{};
    device_.require(cudaDeviceSynchronize(), "waiting for work in flight");
    device_.require(cudaMemcpy(&state, state_.data(), sizeof state, cudaMemcpyDeviceToHost),
                    "reading a counter");
    return state.nonfinite;
  }

  [[nodiscard]] Convolver::Mode mode() const noexcept override { return Convolver::Mode::partitioned; }

 private:
  template <class T>
  static cudaError_t clear(DeviceArray<T>& array, cudaStream_t stream) noexcept {
    return cudaMemsetAsync(array.data(), 0, array.bytes(), stream);
  }

  cudaError_t reset_in(cudaStream_t stream) noexcept {
    begin_change(stream);
    if (next_ != nullptr) end_change();
    position_ = 0;
    cudaError_t error = clear(taken_, stream);
    if (error == cudaSuccess) error = clear(history_, stream);
    for (int set = 0; set < 2 && error == cudaSuccess; ++set) error = clear(tails_[set], stream);
    return error;
  }

  void upload_routes(std::span<const Convolver::Path> paths) {
    std::vector<Convolver::Route> routes;
    std::vector<int> starts{0};
    std::vector<int> by_output;
    for (const Convolver::Path& path : paths) routes.push_back(path.route);
    std::vector<std::vector<int>> to(static_cast<std::size_t>(shape_.outputs));
    for (std::size_t r = 0; r < routes.size(); ++r)
      to[static_cast<std::size_t>(routes[r].output)].push_back(static_cast<int>(r));
    for (const auto& some : to) {
      by_output.insert(by_output.end(), some.begin(), some.end());
      starts.push_back(static_cast<int>(by_output.size()));
    }
    const auto upload = [this](void* device, const void* host, std::size_t bytes) {
      device_.require(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "preparing the routes");
    };
    upload(routes_.data(), routes.data(), routes_.bytes());
    upload(route_starts_.data(), starts.data(), route_starts_.bytes());
    upload(routes_by_output_.data(), by_output.data(), routes_by_output_.bytes());
  }

  /// Tells the device where the response of a set lies, in the order of the stream.
  cudaError_t point_to(const Response& response, int set, cudaStream_t stream) noexcept {
    pointers_.data()[set] = response.data();
    return cudaMemcpyAsync(reinterpret_cast<char*>(state_.data()) + offsetof(State, responses) +
                               static_cast<std::size_t>(set) * sizeof(float4*),
                           pointers_.data() + set, sizeof(float4*), cudaMemcpyHostToDevice, stream);
  }
  cudaError_t point_to(const Response& response, int set) noexcept {
    const cudaError_t error = point_to(response, set, stream_.get());
    return error == cudaSuccess ? cudaStreamSynchronize(stream_.get()) : error;
  }

  void begin_change(cudaStream_t stream) noexcept {
    if (next_ != nullptr) return;
    next_ = handover_.take();
    if (next_ == nullptr) return;
    if (const cudaError_t error = point_to(*next_, 1 - active_set_, stream); error != cudaSuccess)
      (void)device_.note(error);
    both_ = fading_ = false;
    faded_ = 0;
  }

  void end_change() noexcept {
    std::swap(active_, next_);
    handover_.give_back(std::move(next_));
    active_set_ = 1 - active_set_;
    both_ = fading_ = false;
    faded_ = 0;
  }

  cudaError_t launch(cudaStream_t stream, BlockView<const float> in, BlockView<float> out) noexcept {
    cudaError_t error = cudaSuccess;
    for (int done = 0; done < in.frames() && error == cudaSuccess;) {
      if (position_ == 0) begin_change(stream);
      const int frames = std::min(shape_.frames - position_, in.frames() - done);
      const bool whole =
          position_ == 0 && frames == shape_.frames && in.frames() == frames && next_ == nullptr;
      if (whole && in.data() == host_in_.data() && blocks_[active_set_])
        error = blocks_[active_set_]->launch(stream);
      else
        error = launch_piece(stream, in.slice(done, frames), out.slice(done, frames));
      done += frames;
      position_ += frames;
      if (position_ == shape_.frames) end_block();
    }
    return error;
  }

  cudaError_t launch_piece(cudaStream_t stream, BlockView<const float> in, BlockView<float> out) noexcept {
    if (position_ == 0 && next_ != nullptr) {
      fading_ = both_;  // what rings on from the block before was computed for both
      both_ = true;
    }
    cudaError_t error = convolver_cuda::take(stream, shape_, in, position_, taken_.data(), state_.data());
    if (error == cudaSuccess)
      error = transform(stream, captured_forward_, forward_, taken_.data(), floats(in_spectra_), true);
    if (error == cudaSuccess)
      error = convolver_cuda::pack(stream, shape_, in_spectra_.data(), history_.data(), state_.data());
    if (error == cudaSuccess) error = compute(stream, active_set_);
    if (error == cudaSuccess && both_) error = compute(stream, 1 - active_set_);
    const float* const results[2]{results_[active_set_].data(), results_[1 - active_set_].data()};
    float* const tails[2]{tails_[active_set_].data(), tails_[1 - active_set_].data()};
    const Fade fade{fading_, static_cast<float>(faded_), static_cast<float>(fade_frames_)};
    if (error == cudaSuccess)
      error = convolver_cuda::play(stream, shape_, results, tails, both_ ? 2 : 1, fade, position_, out,
                                   state_.data());
    return error;
  }

  cudaError_t compute(cudaStream_t stream, int set) noexcept {
    cudaError_t error = convolver_cuda::multiply(stream, shape_, set, history_.data(), routes_.data(),
                                                 partial_.data(), state_.data());
    if (error == cudaSuccess)
      error = convolver_cuda::sum(stream, shape_, partial_.data(), route_starts_.data(),
                                  routes_by_output_.data(), out_spectra_.data());
    if (error == cudaSuccess)
      error = transform(stream, captured_inverse_[set], inverse_, floats(out_spectra_), results_[set].data(),
                        false);
    return error;
  }

  /// As captured by itself, or as a part of the block that is captured now.
  cudaError_t transform(cudaStream_t stream, const std::optional<CapturedWork>& captured,
                        ringwave::cuda::CufftPlan& plan, const float* in, float* out, bool forward) noexcept {
    return capturing_ ? plan.execute(stream, in, out, forward) : captured->launch(stream);
  }

  static float* floats(const DeviceArray<float2>& spectra) noexcept {
    return reinterpret_cast<float*>(spectra.data());
  }

  void end_block() noexcept {
    position_ = 0;
    if (!fading_) return;
    faded_ += shape_.frames;
    if (faded_ >= fade_frames_) end_change();
  }

  /// Runs every kernel once, and captures what a whole block from the staging memory needs, for each set.
  void warm_up() {
    const DeviceScope scope(device_.index());
    captured_forward_.emplace(stream_.get(), [this](cudaStream_t stream) {
      return forward_.execute(stream, taken_.data(), floats(in_spectra_), true);
    });
    for (int set = 0; set < 2; ++set)
      captured_inverse_[set].emplace(stream_.get(), [this, set](cudaStream_t stream) {
        return inverse_.execute(stream, floats(out_spectra_), results_[set].data(), false);
      });
    const BlockView<float> piece{host_in_.data(), shape_.inputs, 1};
    device_.require(launch_piece(stream_.get(), piece, {host_out_.data(), shape_.outputs, 1}),
                    "running the first block");
    device_.require(point_to(*active_, 1), "preparing the response");
    if (max_frames_ >= shape_.frames)
      for (active_set_ = 1; active_set_ >= 0; --active_set_) capture();
    active_set_ = 0;
    reset();
    device_.require(cudaStreamSynchronize(stream_.get()), "running the first block");
  }

  void capture() {
    const BlockView<float> in{host_in_.data(), shape_.inputs, shape_.frames};
    const BlockView<float> out{host_out_.data(), shape_.outputs, shape_.frames};
    capturing_ = true;
    blocks_[active_set_].emplace(stream_.get(),
                                 [&](cudaStream_t stream) { return launch_piece(stream, in, out); });
    capturing_ = false;
    device_.require(blocks_[active_set_]->launch(stream_.get()), "running the first block");
  }

  ringwave::cuda::CudaRuntime& device_;
  std::optional<DeviceScope> scope_;  // while the members below are made
  int fade_frames_;
  int max_frames_;
  Shape shape_;
  ringwave::cuda::Stream stream_;
  ringwave::cuda::CompletionFlag done_;
  ringwave::cuda::PinnedArray<float> host_in_;
  ringwave::cuda::PinnedArray<float> host_out_;
  ringwave::cuda::PinnedArray<const float4*> pointers_;
  DeviceArray<State> state_;
  DeviceArray<float> taken_;        // [input][2 N]
  DeviceArray<float2> in_spectra_;  // [input][N + 1]
  DeviceArray<float4> history_;     // [input][part][lane]
  DeviceArray<float4> partial_;     // [path][split][lane]
  DeviceArray<float2> out_spectra_;
  DeviceArray<Convolver::Route> routes_;
  DeviceArray<int> route_starts_;  // by output, into routes_by_output_
  DeviceArray<int> routes_by_output_;
  DeviceArray<float> results_[2];  // [output][2 N]
  DeviceArray<float> tails_[2];    // [output][N]
  ringwave::cuda::CufftPlan forward_;
  ringwave::cuda::CufftPlan inverse_;
  std::optional<CapturedWork> captured_forward_;
  std::optional<CapturedWork> captured_inverse_[2];
  std::optional<CapturedWork> blocks_[2];  // whole ones, from the staging memory
  bool capturing_ = false;
  std::unique_ptr<Response> active_;
  std::unique_ptr<Response> next_;  // while a change is under way
  Handover<Response> handover_;
  int active_set_ = 0;
  int position_ = 0;
  int faded_ = 0;
  bool both_ = false;    // the next response is computed too
  bool fading_ = false;  // and heard
};

}  // namespace

std::unique_ptr<ConvolverTwin> make_convolver_cuda(Device device, const Convolver::Request& request) {
  return std::make_unique<ConvolverCuda>(device, request);
}

bool convolver_cuda_supports(Device /*device*/, const Convolver::Request& request) noexcept {
  const bool mode =
      request.spec.mode == Convolver::Mode::automatic || request.spec.mode == Convolver::Mode::partitioned;
  return mode && ringwave::cuda::CufftPlan::available();
}

}  // namespace ringwave::dsp
