// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "ringwave/backend/cpu/cpu_block_op.hpp"
#include "ringwave/dsp/biquad_math.hpp"
#include "ringwave/dsp/biquad_twins.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/dsp/biquad_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ringwave::dsp::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;

/// Channels that are filtered side by side.
std::size_t Lanes() {
  return hn::Lanes(Doubles());
}

/// `frames` samples of one group of channels, interleaved in `tile`, through one section: step() of
/// biquad_math.hpp in every lane. `states` holds s1 of every lane, then s2.
void FilterTile(const Recurrence& r, double* HWY_RESTRICT states, double* HWY_RESTRICT tile,
                std::size_t frames) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const auto b0 = hn::Set(d, r.b0);
  const auto c1 = hn::Set(d, r.c1);
  const auto c2 = hn::Set(d, r.c2);
  const auto a1 = hn::Set(d, r.a1);
  const auto a2 = hn::Set(d, r.a2);
  auto s1 = hn::Load(d, states);
  auto s2 = hn::Load(d, states + lanes);
  for (std::size_t n = 0; n < frames; ++n) {
    const auto x = hn::Load(d, tile + n * lanes);
    hn::Store(hn::MulAdd(b0, x, s1), d, tile + n * lanes);
    const auto next = hn::NegMulAdd(a1, s1, hn::MulAdd(c1, x, s2));
    s2 = hn::NegMulAdd(a2, s1, hn::Mul(c2, x));
    s1 = next;
  }
  hn::Store(s1, d, states);
  hn::Store(s2, d, states + lanes);
}

}  // namespace ringwave::dsp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/aligned_allocator.h>

namespace ringwave::dsp {
namespace {

HWY_EXPORT(Lanes);
HWY_EXPORT(FilterTile);

/// Frames that go through all sections while they stay in the first-level cache.
constexpr int kTileFrames = 64;

class BiquadCpu final : public backend::cpu::CpuBlockOp<backend::BlockOp> {
 public:
  explicit BiquadCpu(const Biquad::Request& request)
      : lanes_(HWY_DYNAMIC_DISPATCH(Lanes)()),
        groups_((static_cast<std::size_t>(request.spec.channels) + lanes_ - 1) / lanes_),
        tile_(hwy::AllocateAligned<double>(kTileFrames * lanes_)),
        states_(hwy::AllocateAligned<double>(groups_ * request.sections.size() * 2 * lanes_)) {
    for (const Section& section : request.sections) recurrences_.push_back(recurrence_of(section));
    std::fill_n(tile_.get(), kTileFrames * lanes_, 0.0);
    BiquadCpu::reset();
  }

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    const FlushSubnormals flush;
    count(in);
    for (std::size_t group = 0; group < groups_; ++group)
      for (int frame = 0; frame < in.frames(); frame += kTileFrames) {
        const int frames = std::min(kTileFrames, in.frames() - frame);
        filter(group, in.slice(frame, frames), out.slice(frame, frames));
      }
    return Status::ok;
  }

  Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept override {
    const bool taken = queue.try_submit([this, in, out](NativeQueue) noexcept { (void)process(in, out); });
    return taken ? Status::ok : Status::busy;
  }

  void reset() noexcept override {
    std::fill_n(states_.get(), groups_ * recurrences_.size() * 2 * lanes_, 0.0);
  }

  Status enqueue_reset(Queue& queue) noexcept override {
    return queue.try_submit([this](NativeQueue) noexcept { reset(); }) ? Status::ok : Status::busy;
  }

 private:
  /// One tile of one group of channels: in, through every section, out. Lanes beyond the last channel idle.
  void filter(std::size_t group, BlockView<const float> in, BlockView<float> out) noexcept {
    const auto first = static_cast<int>(group * lanes_);
    const auto live = std::min(lanes_, static_cast<std::size_t>(in.channels() - first));
    const auto frames = static_cast<std::size_t>(in.frames());
    for (std::size_t lane = 0; lane < live; ++lane) {
      const float* const x = in.channel(first + static_cast<int>(lane)).data();
      for (std::size_t n = 0; n < frames; ++n) tile_[n * lanes_ + lane] = static_cast<double>(x[n]);
    }
    double* states = states_.get() + group * recurrences_.size() * 2 * lanes_;
    for (const Recurrence& recurrence : recurrences_) {
      HWY_DYNAMIC_DISPATCH(FilterTile)(recurrence, states, tile_.get(), frames);
      states += 2 * lanes_;
    }
    for (std::size_t lane = 0; lane < live; ++lane) {
      float* const y = out.channel(first + static_cast<int>(lane)).data();
      for (std::size_t n = 0; n < frames; ++n) y[n] = static_cast<float>(tile_[n * lanes_ + lane]);
    }
  }

  std::size_t lanes_;
  std::size_t groups_;
  std::vector<Recurrence> recurrences_;
  hwy::AlignedFreeUniquePtr<double[]> tile_;    // [frame][lane]
  hwy::AlignedFreeUniquePtr<double[]> states_;  // [group][section][s1, s2][lane]
};

}  // namespace

std::unique_ptr<backend::BlockOp> make_biquad_cpu(Device /*device*/, const Biquad::Request& request) {
  return std::make_unique<BiquadCpu>(request);
}

}  // namespace ringwave::dsp
#endif
