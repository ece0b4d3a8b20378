// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/voice_lanes_cpu.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/synth/voice_lanes_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

#include "ringwave/synth/control_lanes_cpu.hpp"
#include "ringwave/synth/svf_lanes_cpu.hpp"
#include "ringwave/synth/turn_lanes_cpu.hpp"
#include "ringwave/synth/wave_lanes_cpu.hpp"

// VoiceRule's frames, in lanes; see wave_lanes_cpu.hpp.
HWY_BEFORE_NAMESPACE();
namespace ringwave::synth::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kMostFrames = VoiceRule::kControlFrames;  // between two control steps

/// A line on its way through the frames.
class Moving {
 public:
  HWY_INLINE Moving(const VoiceLanes::Floats& now, const VoiceLanes::Floats& slope, std::size_t base)
      : now_(hn::Load(FloatTag(), now + base)), slope_(hn::Load(FloatTag(), slope + base)) {}
  [[nodiscard]] HWY_INLINE Float Now() const { return now_; }
  HWY_INLINE void Step() { now_ = hn::Add(now_, slope_); }
  HWY_INLINE void Save(VoiceLanes::Floats& now, std::size_t base) const {
    hn::Store(now_, FloatTag(), now + base);
  }

 private:
  Float now_;
  Float slope_;
};

/// The noise of some frames into `x`.
HWY_INLINE void Noise(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t base, std::size_t frames,
                      float* HWY_RESTRICT x) {
  const std::size_t stride = hn::Lanes(FloatTag());
  Moving level(lanes.now.noise, lanes.slope.noise, base);
  if (!c.hisses) {
    std::fill_n(x, frames * stride, 0.0F);
    for (std::size_t n = 0; n < frames; ++n) level.Step();
    level.Save(lanes.now.noise, base);
    return;
  }
  Word noise = hn::Load(WordTag(), lanes.noise + base);
  for (std::size_t n = 0; n < frames; ++n) {
    noise = hn::Add(hn::Mul(noise, SetWord(1664525U)), SetWord(1013904223U));
    hn::Store(hn::Mul(level.Now(), hn::Mul(SignedToFloat(noise), Set(0x1p-31F))), FloatTag(), x + n * stride);
    level.Step();
  }
  hn::Store(noise, WordTag(), lanes.noise + base);
  level.Save(lanes.now.noise, base);
}

/// An oscillator is added to it.
template <Patch::Wave kWave>
HWY_INLINE void AddWave(VoiceLanes& lanes, std::size_t i, std::size_t base, std::size_t frames,
                        float* HWY_RESTRICT x) {
  const std::size_t stride = hn::Lanes(FloatTag());
  const Word step = hn::Load(WordTag(), lanes.steps[i] + base);
  const Word width = hn::Load(WordTag(), lanes.widths[i] + base);
  const Pace pace(step, hn::Load(FloatTag(), lanes.inverses[i] + base));
  Word phase = hn::Load(WordTag(), lanes.phases[i] + base);
  Moving level(lanes.now.levels[i], lanes.slope.levels[i], base);
  for (std::size_t n = 0; n < frames; ++n) {
    const Float wave = hn::Mul(level.Now(), WaveAt<kWave>(pace, phase, width));
    hn::Store(hn::Add(hn::Load(FloatTag(), x + n * stride), wave), FloatTag(), x + n * stride);
    phase = hn::Add(phase, step);
    level.Step();
  }
  hn::Store(phase, WordTag(), lanes.phases[i] + base);
  level.Save(lanes.now.levels[i], base);
}

HWY_NOINLINE void AddOscillator(Patch::Wave wave, VoiceLanes& lanes, std::size_t i, std::size_t base,
                                std::size_t frames, float* HWY_RESTRICT x) {
  switch (wave) {
    case Patch::Wave::sine:
      return AddWave<Patch::Wave::sine>(lanes, i, base, frames, x);
    case Patch::Wave::triangle:
      return AddWave<Patch::Wave::triangle>(lanes, i, base, frames, x);
    case Patch::Wave::saw:
      return AddWave<Patch::Wave::saw>(lanes, i, base, frames, x);
    case Patch::Wave::pulse:
      return AddWave<Patch::Wave::pulse>(lanes, i, base, frames, x);
  }
}

/// From the sum of the oscillators to both sides: filter and first envelope.
template <Patch::Response kResponse>
HWY_INLINE void Shape(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t base, std::size_t frames,
                      const float* HWY_RESTRICT x, float* HWY_RESTRICT left, float* HWY_RESTRICT right) {
  const std::size_t stride = hn::Lanes(FloatTag());
  Envelope amp(c.amp, lanes.amp, base);
  SvfLanes::State filter{hn::Load(FloatTag(), lanes.filter_first + base),
                         hn::Load(FloatTag(), lanes.filter_second + base)};
  Moving g_line(lanes.now.g, lanes.slope.g, base);
  Moving k_line(lanes.now.k, lanes.slope.k, base);
  Moving left_line(lanes.now.left, lanes.slope.left, base);
  Moving right_line(lanes.now.right, lanes.slope.right, base);
  for (std::size_t n = 0; n < frames; ++n) {
    const Float in = hn::Load(FloatTag(), x + n * stride);
    const Float k = k_line.Now();
    const SvfLanes::Out out = SvfLanes(g_line.Now(), k).Step(filter, in);
    Float heard = out.low;
    if constexpr (kResponse == Patch::Response::band) heard = hn::Mul(out.band, k);
    if constexpr (kResponse == Patch::Response::high) heard = out.high;
    const Float y = hn::Mul(heard, amp.Step(c.amp));
    hn::Store(hn::Mul(y, left_line.Now()), FloatTag(), left + n * stride);
    hn::Store(hn::Mul(y, right_line.Now()), FloatTag(), right + n * stride);
    g_line.Step();
    k_line.Step();
    left_line.Step();
    right_line.Step();
  }
  amp.Save(lanes.amp, base);
  hn::Store(filter.first, FloatTag(), lanes.filter_first + base);
  hn::Store(filter.second, FloatTag(), lanes.filter_second + base);
  g_line.Save(lanes.now.g, base);
  k_line.Save(lanes.now.k, base);
  left_line.Save(lanes.now.left, base);
  right_line.Save(lanes.now.right, base);
}

HWY_NOINLINE void ShapeVoices(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t base,
                              std::size_t frames, const float* HWY_RESTRICT x, float* HWY_RESTRICT left,
                              float* HWY_RESTRICT right) {
  switch (c.response) {
    case Patch::Response::low:
      return Shape<Patch::Response::low>(c, lanes, base, frames, x, left, right);
    case Patch::Response::band:
      return Shape<Patch::Response::band>(c, lanes, base, frames, x, left, right);
    case Patch::Response::high:
      return Shape<Patch::Response::high>(c, lanes, base, frames, x, left, right);
  }
}

void PlayLanes(const VoiceRule::Constants& c, VoiceLanes& lanes, std::size_t voices, std::int64_t clock,
               int frames, VoiceRows& rows) {
  const std::size_t stride = hn::Lanes(FloatTag());
  HWY_ALIGN float x[kMostFrames * VoiceLanes::kLanes];
  HWY_ALIGN float left[kChunkFrames * VoiceLanes::kLanes];
  HWY_ALIGN float right[kChunkFrames * VoiceLanes::kLanes];
  const auto place = static_cast<std::size_t>(clock % VoiceRule::kControlFrames);
  const auto count = static_cast<std::size_t>(frames);
  for (std::size_t base = 0; base < voices; base += stride) {
    std::size_t until = 0;
    for (std::size_t n = 0; n < count; n = until) {
      const std::size_t in_step = (place + n) % kMostFrames;
      until = std::min(count, n + kMostFrames - in_step);
      if (in_step == 0) Control(c, lanes, base);
      Noise(c, lanes, base, until - n, x);
      for (std::size_t i = 0; i < 2; ++i) AddOscillator(c.waves[i], lanes, i, base, until - n, x);
      ShapeVoices(c, lanes, base, until - n, x, left + n * stride, right + n * stride);
    }
    Turn(left, count, rows.left + base);
    Turn(right, count, rows.right + base);
  }
}

}  // namespace ringwave::synth::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringwave::synth {

HWY_EXPORT(PlayLanes);

void play_lanes(const VoiceRule::Constants& constants, VoiceLanes& lanes, std::size_t voices,
                std::int64_t clock, int frames, VoiceRows& rows) noexcept {
  HWY_DYNAMIC_DISPATCH(PlayLanes)(constants, lanes, voices, clock, frames, rows);
}

}  // namespace ringwave::synth
#endif
