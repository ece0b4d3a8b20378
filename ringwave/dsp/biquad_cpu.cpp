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

/// `frames` samples of one group of channels, interleaved in `tile`, through kSections sections at once:
/// step() of biquad_math.hpp in every lane. Two sections in one loop keep the multipliers busy while each
/// waits for its own last result. `states` holds, for each section, s1 of every lane, then s2.
template <std::size_t kSections>
void FilterSections(const Recurrence* r, double* HWY_RESTRICT states, double* HWY_RESTRICT tile,
                    std::size_t frames) {
  const Doubles d;
  using Vector = hn::Vec<Doubles>;
  const std::size_t lanes = hn::Lanes(d);
  Vector b0[kSections], c1[kSections], c2[kSections], a1[kSections], a2[kSections], s1[kSections],
      s2[kSections];
  for (std::size_t i = 0; i < kSections; ++i) {
    b0[i] = hn::Set(d, r[i].b0);
    c1[i] = hn::Set(d, r[i].c1);
    c2[i] = hn::Set(d, r[i].c2);
    a1[i] = hn::Set(d, r[i].a1);
    a2[i] = hn::Set(d, r[i].a2);
    s1[i] = hn::Load(d, states + 2 * i * lanes);
    s2[i] = hn::Load(d, states + (2 * i + 1) * lanes);
  }
  for (std::size_t n = 0; n < frames; ++n) {
    Vector x = hn::Load(d, tile + n * lanes);
    for (std::size_t i = 0; i < kSections; ++i) {
      const Vector y = hn::MulAdd(b0[i], x, s1[i]);
      const Vector next = hn::NegMulAdd(a1[i], s1[i], hn::MulAdd(c1[i], x, s2[i]));
      s2[i] = hn::NegMulAdd(a2[i], s1[i], hn::Mul(c2[i], x));
      s1[i] = next;
      x = y;
    }
    hn::Store(x, d, tile + n * lanes);
  }
  for (std::size_t i = 0; i < kSections; ++i) {
    hn::Store(s1[i], d, states + 2 * i * lanes);
    hn::Store(s2[i], d, states + (2 * i + 1) * lanes);
  }
}

/// The same through `count` sections.
void FilterTile(const Recurrence* r, std::size_t count, double* states, double* tile, std::size_t frames) {
  const std::size_t stride = 2 * Lanes();
  std::size_t i = 0;
  for (; i + 2 <= count; i += 2) FilterSections<2>(r + i, states + i * stride, tile, frames);
  if (i < count) FilterSections<1>(r + i, states + i * stride, tile, frames);
}

/// The same while the sections change: `done` frames of the `glide_frames` lie behind.
void GlideTile(const Section* from, const Section* to, std::size_t count, int done, int glide_frames,
               double* HWY_RESTRICT states, double* HWY_RESTRICT tile, std::size_t frames) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; ++i) {
    auto s1 = hn::Load(d, states + 2 * i * lanes);
    auto s2 = hn::Load(d, states + (2 * i + 1) * lanes);
    for (std::size_t n = 0; n < frames; ++n) {
      const double share = glide_share(done + static_cast<int>(n) + 1, glide_frames);
      const Recurrence r = recurrence_of(between(from[i], to[i], share));
      const auto x = hn::Load(d, tile + n * lanes);
      hn::Store(hn::MulAdd(hn::Set(d, r.b0), x, s1), d, tile + n * lanes);
      const auto next = hn::NegMulAdd(hn::Set(d, r.a1), s1, hn::MulAdd(hn::Set(d, r.c1), x, s2));
      s2 = hn::NegMulAdd(hn::Set(d, r.a2), s1, hn::Mul(hn::Set(d, r.c2), x));
      s1 = next;
    }
    hn::Store(s1, d, states + 2 * i * lanes);
    hn::Store(s2, d, states + (2 * i + 1) * lanes);
  }
}

}  // namespace ringwave::dsp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <hwy/aligned_allocator.h>

namespace ringwave::dsp {
namespace {

HWY_EXPORT(Lanes);
HWY_EXPORT(FilterTile);
HWY_EXPORT(GlideTile);

/// Frames that go through all sections while they stay in the first-level cache.
constexpr int kTileFrames = 64;

class BiquadCpu final : public backend::cpu::CpuBlockOp<BiquadTwin> {
 public:
  explicit BiquadCpu(const Biquad::Request& request)
      : CpuBlockOp(request),
        lanes_(HWY_DYNAMIC_DISPATCH(Lanes)()),
        groups_((static_cast<std::size_t>(request.spec.channels) + lanes_ - 1) / lanes_),
        tile_(hwy::AllocateAligned<double>(kTileFrames * lanes_)),
        states_(hwy::AllocateAligned<double>(groups_ * request.sections.size() * 2 * lanes_)) {
    for (const Section& section : request.sections) recurrences_.push_back(recurrence_of(section));
    std::fill_n(tile_.get(), kTileFrames * lanes_, 0.0);
    BiquadCpu::reset();
  }

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    const FlushSubnormals flush;
    for (std::size_t group = 0; group < groups_; ++group)
      for (int frame = 0; frame < in.frames(); frame += kTileFrames) {
        const int frames = std::min(kTileFrames, in.frames() - frame);
        filter(group, glide_done() + frame, in.slice(frame, frames), out.slice(frame, frames));
      }
    advance(in.frames());
    return Status::ok;
  }

  void set_sections(std::span<const Section> sections) noexcept override {
    BiquadTwin::set_sections(sections);
    std::ranges::transform(sections, recurrences_.begin(), recurrence_of);
  }

  void reset() noexcept override {
    end_glide();
    std::fill_n(states_.get(), groups_ * recurrences_.size() * 2 * lanes_, 0.0);
  }

 private:
  /// One tile of one group of channels: in, through every section, out; `done` frames of a change lie behind.
  /// Lanes beyond the last channel idle.
  void filter(std::size_t group, int done, BlockView<const float> in, BlockView<float> out) noexcept {
    const auto first = static_cast<int>(group * lanes_);
    const auto live = std::min(lanes_, static_cast<std::size_t>(in.channels() - first));
    const auto frames = static_cast<std::size_t>(in.frames());
    std::uint32_t nonfinite = 0;
    for (std::size_t lane = 0; lane < live; ++lane) {
      const float* const x = in.channel(first + static_cast<int>(lane)).data();
      for (std::size_t n = 0; n < frames; ++n) {
        nonfinite += backend::is_nonfinite(x[n]);
        tile_[n * lanes_ + lane] = static_cast<double>(x[n]);
      }
    }
    count(nonfinite);
    double* const states = states_.get() + group * recurrences_.size() * 2 * lanes_;
    if (done < glide_frames()) {
      HWY_DYNAMIC_DISPATCH(GlideTile)
      (from().data(), to().data(), recurrences_.size(), done, glide_frames(), states, tile_.get(), frames);
    } else {
      HWY_DYNAMIC_DISPATCH(FilterTile)
      (recurrences_.data(), recurrences_.size(), states, tile_.get(), frames);
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

std::unique_ptr<BiquadTwin> make_biquad_cpu(Device /*device*/, const Biquad::Request& request) {
  return std::make_unique<BiquadCpu>(request);
}

}  // namespace ringwave::dsp
#endif
