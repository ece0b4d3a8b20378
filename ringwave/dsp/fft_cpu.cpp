// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "ringwave/dsp/fft_twins.hpp"
#include "ringwave/dsp/fftw_plan.hpp"
#include "ringwave/dsp/line_dft.hpp"

namespace ringwave::dsp {
namespace {

FftwProblem problem_of(const Fft::Spec& spec, bool forward) {
  const Fft::Layout& in = forward ? spec.time : spec.bins;
  const Fft::Layout& out = forward ? spec.bins : spec.time;
  return {.size = spec.size,
          .batch = spec.batch,
          .real = spec.kind == Fft::Kind::real,
          .forward = forward,
          .in_place = spec.in_place,
          .aligned = true,
          .in_stride = static_cast<int>(in.stride),
          .in_distance = static_cast<int>(in.distance),
          .out_stride = static_cast<int>(out.stride),
          .out_distance = static_cast<int>(out.distance)};
}

/// One direction: FFTW's own plans for arrays that lie well and for those that do not, or, where FFTW has
/// none that never allocates, one line after the other; then the factor.
class Direction {
 public:
  Direction(const Fft::Spec& spec, bool forward, float scale)
      : forward_(forward),
        scale_(scale),
        size_(spec.size),
        in_(forward ? time_side(spec) : bins_side(spec)),
        out_(forward ? bins_side(spec) : time_side(spec)) {
    FftwProblem problem = problem_of(spec, forward);
    if (fast_fft_size(spec.size) == spec.size) {
      aligned_ = FftwPlan::of(problem);
      problem.aligned = false;
      unaligned_ = FftwPlan::of(problem);
    }
    if (aligned_ == nullptr || unaligned_ == nullptr) line_.emplace(spec.size);
    is_plain_ = !line_ && scale == 1.0F;
  }

  void run(const float* in, float* out) noexcept {
    if (is_plain_ && aligned_->fits(in, out))
      aligned_->execute(in, out);
    else
      run_any(in, out);
  }

 private:
  /// Apart, so that a plain transform does not save the registers that this needs: some nanoseconds of 270.
  [[gnu::noinline]] void run_any(const float* in, float* out) noexcept {
    if (line_)
      run_lines(in, out);
    else
      (aligned_->fits(in, out) ? aligned_ : unaligned_)->execute(in, out);
    if (scale_ != 1.0F) scale(out);
  }

  void run_lines(const float* in, float* out) noexcept {
    for (int b = 0; b < in_.batch; ++b) {
      for (int n = 0; n < in_.elements; ++n) {
        const float* const x = in + in_.at(b, n);
        line_->in()[n] = {x[0], in_.floats == 2 ? x[1] : 0.0F};
      }
      // A real signal's upper bins mirror the lower ones.
      for (int k = in_.elements; k < size_; ++k) line_->in()[k] = std::conj(line_->in()[size_ - k]);
      line_->run(forward_);
      for (int n = 0; n < out_.elements; ++n) {
        float* const y = out + out_.at(b, n);
        y[0] = line_->out()[n].real();
        if (out_.floats == 2) y[1] = line_->out()[n].imag();
      }
    }
  }

  void scale(float* out) const noexcept {
    for (int b = 0; b < out_.batch; ++b) {
      float* const first = out + out_.at(b, 0);
      if (out_.layout.stride == 1) {
        const std::ptrdiff_t count = std::ptrdiff_t{out_.elements} * out_.floats;
        for (std::ptrdiff_t i = 0; i < count; ++i) first[i] *= scale_;
        continue;
      }
      for (int n = 0; n < out_.elements; ++n)
        for (int i = 0; i < out_.floats; ++i) out[out_.at(b, n) + i] *= scale_;
    }
  }

  bool forward_;
  bool is_plain_ = false;  // nothing but one of FFTW's plans
  float scale_;
  int size_;
  FftSide in_;
  FftSide out_;
  std::shared_ptr<const FftwPlan> aligned_;
  std::shared_ptr<const FftwPlan> unaligned_;
  std::optional<LineDft> line_;
};

class FftCpu final : public CpuTransformTwin {
 public:
  explicit FftCpu(const Fft::Spec& spec)
      : forward_(spec, true, FftScale(spec).forward), inverse_(spec, false, FftScale(spec).inverse) {}

  Status forward(const float* samples, float* bins) noexcept override {
    forward_.run(samples, bins);
    return Status::ok;
  }

  Status inverse(float* bins, float* samples) noexcept override {
    inverse_.run(bins, samples);
    return Status::ok;
  }

 private:
  Direction forward_;
  Direction inverse_;
};

}  // namespace

std::unique_ptr<TransformTwin> make_fft_cpu(Device /*device*/, const Fft::Request& request) {
  return std::make_unique<FftCpu>(request);
}

}  // namespace ringwave::dsp
