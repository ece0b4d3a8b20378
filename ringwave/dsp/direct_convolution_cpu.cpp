// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/direct_convolution_cpu.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/dsp/direct_convolution_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ringwave::dsp::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// y[n] += sum over k of  h[k] x[n + k];  four vectors of outputs at once keep the multipliers busy.
void CorrelateSome(const float* HWY_RESTRICT x, const float* HWY_RESTRICT h, std::size_t taps,
                   float* HWY_RESTRICT y, std::size_t frames) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t n = 0;
  for (; n + 4 * lanes <= frames; n += 4 * lanes) {
    auto y0 = hn::Zero(d);
    auto y1 = hn::Zero(d);
    auto y2 = hn::Zero(d);
    auto y3 = hn::Zero(d);
    for (std::size_t k = 0; k < taps; ++k) {
      const auto tap = hn::Set(d, h[k]);
      const float* const from = x + n + k;
      y0 = hn::MulAdd(tap, hn::LoadU(d, from), y0);
      y1 = hn::MulAdd(tap, hn::LoadU(d, from + lanes), y1);
      y2 = hn::MulAdd(tap, hn::LoadU(d, from + 2 * lanes), y2);
      y3 = hn::MulAdd(tap, hn::LoadU(d, from + 3 * lanes), y3);
    }
    hn::StoreU(hn::Add(y0, hn::LoadU(d, y + n)), d, y + n);
    hn::StoreU(hn::Add(y1, hn::LoadU(d, y + n + lanes)), d, y + n + lanes);
    hn::StoreU(hn::Add(y2, hn::LoadU(d, y + n + 2 * lanes)), d, y + n + 2 * lanes);
    hn::StoreU(hn::Add(y3, hn::LoadU(d, y + n + 3 * lanes)), d, y + n + 3 * lanes);
  }
  for (; n < frames; ++n) {
    auto sum = hn::Zero(d);
    std::size_t k = 0;
    for (; k + lanes <= taps; k += lanes) sum = hn::MulAdd(hn::LoadU(d, h + k), hn::LoadU(d, x + n + k), sum);
    float total = hn::GetLane(hn::SumOfLanes(d, sum));
    for (; k < taps; ++k) total += h[k] * x[n + k];
    y[n] += total;
  }
}

/// The same for any number of taps, some at a time: a sum of sums loses less to rounding than one long sum.
void Correlate(const float* x, const float* h, std::size_t taps, float* y, std::size_t frames) {
  constexpr std::size_t kTapsAtATime = 256;
  for (std::size_t first = 0; first < taps; first += kTapsAtATime)
    CorrelateSome(x + first, h + first, std::min(kTapsAtATime, taps - first), y, frames);
}

}  // namespace ringwave::dsp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringwave::dsp {

HWY_EXPORT(Correlate);

DirectConvolution::DirectConvolution(int max_frames, int taps, int inputs, int outputs,
                                     std::span<const Convolver::Route> routes, int fade_frames)
    : taps_(static_cast<std::size_t>(std::max(taps, 1))),
      fade_frames_(static_cast<std::size_t>(std::max(fade_frames, 1))),
      routes_(routes.begin(), routes.end()),
      history_(static_cast<std::size_t>(inputs),
               std::vector<float>(taps_ - 1 + static_cast<std::size_t>(max_frames))),
      faded_in_(static_cast<std::size_t>(outputs), std::vector<float>(static_cast<std::size_t>(max_frames))) {
  for (auto& row : faded_in_) faded_in_rows_.push_back(row.data());
}

DirectResponse DirectConvolution::make_response(std::span<const std::span<const float>> taps) const {
  DirectResponse response;
  for (const auto& path : taps) {
    std::vector<float>& reversed = response.emplace_back(taps_);
    std::copy(path.begin(), path.end(), reversed.rbegin());
  }
  return response;
}

void DirectConvolution::advance(std::span<const float* const> in, std::span<float* const> out,
                                int frames) noexcept {
  const auto count = static_cast<std::size_t>(frames);
  for (std::size_t i = 0; i < history_.size(); ++i) std::copy_n(in[i], count, history_[i].data() + taps_ - 1);
  convolve(*active_, out, count);
  if (next_ != nullptr) {
    convolve(*next_, faded_in_rows_, count);
    for (std::size_t o = 0; o < out.size(); ++o)
      for (std::size_t n = 0; n < count; ++n) {
        const auto done = static_cast<float>(faded_ + n + 1);
        const float share = std::min(1.0F, done / static_cast<float>(fade_frames_));
        out[o][n] += share * (faded_in_[o][n] - out[o][n]);
      }
    faded_ += count;
    if (faded_ >= fade_frames_) {
      active_ = next_;
      next_ = nullptr;
      faded_ = 0;
    }
  }
  for (auto& past : history_)
    std::copy(past.begin() + frames, past.begin() + frames + static_cast<std::ptrdiff_t>(taps_ - 1),
              past.begin());
}

void DirectConvolution::convolve(const DirectResponse& response, std::span<float* const> out,
                                 std::size_t frames) noexcept {
  for (float* const row : out) std::fill_n(row, frames, 0.0F);
  for (std::size_t r = 0; r < routes_.size(); ++r) HWY_DYNAMIC_DISPATCH(Correlate)
  (history_[static_cast<std::size_t>(routes_[r].input)].data(), response[r].data(), taps_,
   out[static_cast<std::size_t>(routes_[r].output)], frames);
}

void DirectConvolution::reset() noexcept {
  if (next_ != nullptr) active_ = next_;
  next_ = nullptr;
  faded_ = 0;
  for (auto& past : history_) std::fill(past.begin(), past.end(), 0.0F);
}

}  // namespace ringwave::dsp
#endif
