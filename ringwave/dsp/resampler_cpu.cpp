// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "ringwave/dsp/resampler_periods_cpu.hpp"
#include "ringwave/dsp/resampler_twins.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/dsp/resampler_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ringwave::dsp::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 8>;

/// Four outputs at a time hide the latency of one: the sum over the row of each, in lanes that are inputs.
HWY_INLINE void DotFour(const float* const* HWY_RESTRICT rows, const float* const* HWY_RESTRICT x,
                        std::size_t row_floats, float* HWY_RESTRICT y) {
  const Floats d;
  const auto run = [&](std::size_t first, std::size_t end, auto&& take) HWY_ATTR {
    auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (std::size_t i = first; i < end; i += hn::Lanes(d)) {
      sum0 = hn::MulAdd(hn::LoadU(d, rows[0] + i), hn::LoadU(d, x[0] + i), sum0);
      sum1 = hn::MulAdd(hn::LoadU(d, rows[1] + i), hn::LoadU(d, x[1] + i), sum1);
      sum2 = hn::MulAdd(hn::LoadU(d, rows[2] + i), hn::LoadU(d, x[2] + i), sum2);
      sum3 = hn::MulAdd(hn::LoadU(d, rows[3] + i), hn::LoadU(d, x[3] + i), sum3);
    }
    take(0, hn::GetLane(hn::SumOfLanes(d, sum0)));
    take(1, hn::GetLane(hn::SumOfLanes(d, sum1)));
    take(2, hn::GetLane(hn::SumOfLanes(d, sum2)));
    take(3, hn::GetLane(hn::SumOfLanes(d, sum3)));
  };
  if (row_floats <= kResamplerRun) {
    run(0, row_floats, [&](int j, float sum) { y[j] = sum; });
    return;
  }
  double total[4] = {};
  for (std::size_t first = 0; first < row_floats; first += kResamplerRun)
    run(first, std::min<std::size_t>(first + kResamplerRun, row_floats),
        [&](int j, float sum) { total[j] += static_cast<double>(sum); });
  for (int j = 0; j < 4; ++j) y[j] = static_cast<float>(total[j]);
}

/// Outputs `m` to `m + count` of one channel. `x` is the input's frame `origin`; every row finds its inputs
/// in memory.
void ResampleFrames(const PolyphaseFilter& filter, const float* HWY_RESTRICT x, std::int64_t origin,
                    std::int64_t m, std::int64_t count, float* HWY_RESTRICT y) {
  const int up = filter.up();
  const int whole = filter.down() / up;
  const int rest = filter.down() % up;
  const auto row_floats = static_cast<std::size_t>(filter.row_floats());
  int slot = static_cast<int>(m % up);
  const float* now = x + (filter.first(m) - origin);
  // How far the output lies behind the frame that it is counted from, in parts of a frame: the phase.
  auto phase = static_cast<int>((m * filter.down() + filter.middle()) % up);
  const float* rows[4];
  const float* inputs[4];
  float last[4];
  for (std::int64_t done = 0; done < count; done += 4) {
    const std::int64_t some = std::min<std::int64_t>(4, count - done);
    for (int j = 0; j < 4; ++j) {
      rows[j] = filter.row(slot);
      inputs[j] = now;
      if (j + 1 >= some && done + 4 >= count) continue;  // nothing after the last output is looked at
      phase += rest;
      const bool carry = phase >= up;
      phase -= carry ? up : 0;
      now += whole + (carry ? 1 : 0);
      slot = slot + 1 == up ? 0 : slot + 1;
    }
    if (some == 4) {
      DotFour(rows, inputs, row_floats, y + done);
    } else {
      DotFour(rows, inputs, row_floats, last);
      for (std::int64_t j = 0; j < some; ++j) y[done + j] = last[j];
    }
  }
}

}  // namespace ringwave::dsp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ringwave::dsp {
namespace {

HWY_EXPORT(ResampleFrames);

constexpr int kRowMultiple = 8;  // lanes of the widest vector

class ResamplerCpu final : public ResamplerTwin {
 public:
  explicit ResamplerCpu(const Resampler::Request& request)
      : filter_(request, kRowMultiple), edge_(static_cast<std::size_t>(filter_.row_floats())) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    const FlushSubnormals flush;
    // Outputs whose rows lie inside the signal; those before and behind see silence too.
    const std::int64_t frames = in.frames();
    const std::int64_t begin = first_from(0, out.frames());
    const std::int64_t end = std::max(begin, first_from(frames - filter_.row_floats() + 1, out.frames()));
    for (int channel = 0; channel < in.channels(); ++channel) {
      const float* const x = in.channel(channel).data();
      float* const y = out.channel(channel).data();
      resample_edge(x, frames, 0, begin, y);
      if (end > begin) HWY_DYNAMIC_DISPATCH(ResampleFrames)(filter_, x, 0, begin, end - begin, y + begin);
      resample_edge(x, frames, end, out.frames(), y);
    }
    return Status::ok;
  }

  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept override {
    return queue.try_submit([this, in, out](NativeQueue) noexcept { (void)process(in, out); });
  }

 private:
  /// The first output up to `outputs` whose row begins at input `n` or later.
  [[nodiscard]] std::int64_t first_from(std::int64_t n, std::int64_t outputs) const noexcept {
    std::int64_t low = 0;
    std::int64_t high = outputs;
    while (low < high) {
      const std::int64_t m = (low + high) / 2;
      if (filter_.first(m) >= n)
        high = m;
      else
        low = m + 1;
    }
    return low;
  }

  /// Outputs `m` to `end`, one by one from a copy of their inputs with silence around it.
  void resample_edge(const float* x, std::int64_t frames, std::int64_t m, std::int64_t end,
                     float* y) noexcept {
    for (; m < end; ++m) {
      const std::int64_t first = filter_.first(m);
      const std::int64_t row = filter_.row_floats();
      const std::int64_t from = std::clamp<std::int64_t>(first, 0, frames);
      const std::int64_t to = std::clamp<std::int64_t>(first + row, 0, frames);
      std::fill_n(edge_.begin(), row, 0.0F);
      if (to > from) std::copy(x + from, x + to, edge_.begin() + (from - first));
      HWY_DYNAMIC_DISPATCH(ResampleFrames)(filter_, edge_.data(), first, m, 1, y + m);
    }
  }

  PolyphaseFilter filter_;
  std::vector<float> edge_;  // a row's inputs
};

}  // namespace

std::unique_ptr<ResamplerTwin> make_resampler_cpu(Device /*device*/, const Resampler::Request& request) {
  // The shorter filters keep the order of their sums, and with it every bit of their references.
  if (request.spec.quality == ResamplerQuality::finest && fits_resampler_periods_cpu(request))
    return make_resampler_periods_cpu(request);
  return std::make_unique<ResamplerCpu>(request);
}

}  // namespace ringwave::dsp
#endif
