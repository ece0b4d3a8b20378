// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/fir_frames_cpu.hpp"

#include <algorithm>

#include "ringwave/dsp/fir_twins.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/dsp/fir_frames_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ringwave::dsp::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kReadBeyond / 4>;

/// kVectors vectors of frames: lanes are frames, so that each has its sum whatever stands beside it. Products
/// join in runs, and runs in the total: long sums keep the digits of short ones.
template <std::size_t kVectors>
HWY_INLINE void FilterVectors(const float* HWY_RESTRICT h, std::size_t taps, const float* HWY_RESTRICT x,
                              float* HWY_RESTRICT y) {
  constexpr std::size_t kRun = kFirRun;
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Floats> total[kVectors];
  for (auto& sum : total) sum = hn::Zero(d);
  for (std::size_t first = 0; first < taps; first += kRun) {
    const std::size_t end = std::min(first + kRun, taps);
    hn::Vec<Floats> run[kVectors];
    for (auto& sum : run) sum = hn::Zero(d);
    for (std::size_t k = first; k < end; ++k) {
      const auto tap = hn::Set(d, h[k]);
      for (std::size_t i = 0; i < kVectors; ++i)
        run[i] = hn::MulAdd(tap, hn::LoadU(d, x + k + i * lanes), run[i]);
    }
    for (std::size_t i = 0; i < kVectors; ++i) total[i] = hn::Add(total[i], run[i]);
  }
  for (std::size_t i = 0; i < kVectors; ++i)
    hn::StoreU(hn::Add(hn::LoadU(d, y + i * lanes), total[i]), d, y + i * lanes);
}

/// Fewer frames than four vectors have.
void FilterRest(const float* h, std::size_t taps, const float* x, float* y, std::size_t frames) {
  const std::size_t vectors = (frames + hn::Lanes(Floats()) - 1) / hn::Lanes(Floats());
  float rest[kReadBeyond] = {};
  std::copy_n(y, frames, rest);
  if (vectors == 1) FilterVectors<1>(h, taps, x, rest);
  if (vectors == 2) FilterVectors<2>(h, taps, x, rest);
  if (vectors == 3) FilterVectors<3>(h, taps, x, rest);
  if (vectors == 4) FilterVectors<4>(h, taps, x, rest);
  std::copy_n(rest, frames, y);
}

/// Frame by frame: lanes are taps.
void FilterFew(const float* HWY_RESTRICT h, std::size_t taps, const float* HWY_RESTRICT x,
               float* HWY_RESTRICT y, std::size_t frames) {
  constexpr std::size_t kRun = 256;  // some 16 products a lane
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t n = 0; n < frames; ++n)
    for (std::size_t first = 0; first < taps; first += kRun) {
      const std::size_t end = std::min(first + kRun, taps);
      auto sum = hn::Zero(d);
      std::size_t k = first;
      for (; k + lanes <= end; k += lanes)
        sum = hn::MulAdd(hn::LoadU(d, h + k), hn::LoadU(d, x + n + k), sum);
      float total = hn::GetLane(hn::SumOfLanes(d, sum));
      for (; k < end; ++k) total += h[k] * x[n + k];
      y[n] += total;
    }
}

void FilterFrames(const float* h, std::size_t taps, const float* x, float* y, std::size_t frames,
                  FrameSums sums) {
  constexpr std::size_t kTapsAtATime = 4096;  // totals are kept short too
  const std::size_t lanes = hn::Lanes(Floats());
  const std::size_t few = sums == FrameSums::fastest ? lanes * 3 / 4 : 0;
  for (std::size_t first = 0; first < taps; first += kTapsAtATime) {
    const std::size_t some = std::min(kTapsAtATime, taps - first);
    std::size_t n = 0;  // four vectors hide the latency of one
    for (; n + 4 * lanes <= frames; n += 4 * lanes) FilterVectors<4>(h + first, some, x + first + n, y + n);
    const auto filter = frames - n <= few ? FilterFew : FilterRest;
    if (n < frames) filter(h + first, some, x + first + n, y + n, frames - n);
  }
}

}  // namespace ringwave::dsp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringwave::dsp {

HWY_EXPORT(FilterFrames);

void filter_frames(std::span<const float> h, const float* x, float* y, std::size_t frames,
                   FrameSums sums) noexcept {
  HWY_DYNAMIC_DISPATCH(FilterFrames)(h.data(), h.size(), x, y, frames, sums);
}

}  // namespace ringwave::dsp
#endif
