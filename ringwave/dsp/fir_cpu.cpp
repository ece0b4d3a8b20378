// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "ringwave/backend/cpu/cpu_block_op.hpp"
#include "ringwave/dsp/fir_twins.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/dsp/fir_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ringwave::dsp::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// y[n] for `frames` frames of one channel; `x` has the past before it. Lanes are frames, so that each sum is
/// the same wherever a block begins. Reads and writes up to kMostLanes frames beyond the last.
void FilterFrames(const float* HWY_RESTRICT taps, std::size_t count, const float* HWY_RESTRICT x,
                  float* HWY_RESTRICT y, std::size_t frames) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kRun = kFirRun;
  for (std::size_t n = 0; n < frames; n += 4 * lanes) {  // four sums hide the latency of one
    const float* const now = x + n;
    auto total0 = hn::Zero(d), total1 = total0, total2 = total0, total3 = total0;
    for (std::size_t first = 0; first < count; first += kRun) {
      auto run0 = hn::Zero(d), run1 = run0, run2 = run0, run3 = run0;
      for (std::size_t k = first; k < std::min(first + kRun, count); ++k) {
        const auto tap = hn::Set(d, taps[k]);
        run0 = hn::MulAdd(tap, hn::LoadU(d, now - k), run0);
        run1 = hn::MulAdd(tap, hn::LoadU(d, now - k + lanes), run1);
        run2 = hn::MulAdd(tap, hn::LoadU(d, now - k + 2 * lanes), run2);
        run3 = hn::MulAdd(tap, hn::LoadU(d, now - k + 3 * lanes), run3);
      }
      total0 = hn::Add(total0, run0);
      total1 = hn::Add(total1, run1);
      total2 = hn::Add(total2, run2);
      total3 = hn::Add(total3, run3);
    }
    hn::StoreU(total0, d, y + n);
    hn::StoreU(total1, d, y + n + lanes);
    hn::StoreU(total2, d, y + n + 2 * lanes);
    hn::StoreU(total3, d, y + n + 3 * lanes);
  }
}

}  // namespace ringwave::dsp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ringwave::dsp {
namespace {

HWY_EXPORT(FilterFrames);

constexpr std::size_t kTileFrames = 512;  // that are filtered at a time
constexpr std::size_t kMostLanes = 64;    // four vectors of sixteen

class FirCpu final : public backend::cpu::CpuBlockOp<backend::BlockOp> {
 public:
  explicit FirCpu(const Fir::Request& request)
      : taps_(request.taps),
        past_(static_cast<std::size_t>(request.spec.channels) * (taps_.size() - 1)),
        window_(taps_.size() - 1 + kTileFrames + kMostLanes),
        made_(kTileFrames + kMostLanes) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    const FlushSubnormals flush;
    const auto frames = static_cast<std::size_t>(in.frames());
    for (int channel = 0; channel < in.channels(); ++channel)
      for (std::size_t done = 0; done < frames; done += kTileFrames) {
        const std::size_t some = std::min(kTileFrames, frames - done);
        filter(channel, in.channel(channel).subspan(done, some), out.channel(channel).subspan(done, some));
      }
    return Status::ok;
  }

  void reset() noexcept override { std::ranges::fill(past_, 0.0F); }

 private:
  /// One tile of one channel, behind its past in one piece of memory.
  void filter(int channel, std::span<const float> in, std::span<float> out) noexcept {
    const std::size_t before = taps_.size() - 1;
    const auto past = std::span(past_).subspan(static_cast<std::size_t>(channel) * before, before);
    std::ranges::copy(past, window_.begin());
    std::uint32_t nonfinite = 0;
    for (std::size_t n = 0; n < in.size(); ++n) {
      nonfinite += backend::is_nonfinite(in[n]);
      window_[before + n] = in[n];
    }
    count(nonfinite);
    HWY_DYNAMIC_DISPATCH(FilterFrames)
    (taps_.data(), taps_.size(), window_.data() + before, made_.data(), in.size());
    std::copy_n(made_.data(), out.size(), out.data());
    std::copy_n(window_.data() + in.size(), before, past.data());
  }

  std::vector<float> taps_;
  std::vector<float> past_;    // [channel][taps - 1]
  std::vector<float> window_;  // a past and a tile
  std::vector<float> made_;
};

}  // namespace

std::unique_ptr<backend::BlockOp> make_fir_cpu(Device /*device*/, const Fir::Request& request) {
  return std::make_unique<FirCpu>(request);
}

}  // namespace ringwave::dsp
#endif
