// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {

VoiceRule::Constants::Constants(const Patch& patch, double sample_rate_hz)
    : amp(patch.envelopes[0], sample_rate_hz),
      response(patch.filter.response),
      noise(static_cast<float>(patch.noise_level)),
      a4_octaves(static_cast<float>(std::log2(440 / sample_rate_hz))),
      cutoff_octaves(static_cast<float>(std::log2(patch.filter.hz / sample_rate_hz))),
      key_follow(static_cast<float>(patch.filter.key)),
      q(static_cast<float>(patch.filter.q)),
      gain(static_cast<float>(std::pow(10, patch.gain_db / 20))) {
  const double control_hz = sample_rate_hz / kControlFrames;
  for (std::size_t i = 0; i < kSlowEnvelopes; ++i) slow_envelopes[i] = {patch.envelopes[i + 1], control_hz};
  for (std::size_t i = 0; i < 2; ++i) {
    const Patch::Vco& vco = patch.vcos[i];
    waves[i] = vco.wave;
    semitones[i] = static_cast<float>(vco.semitones + vco.cents / 100);
    widths[i] = static_cast<float>(vco.width);
    levels[i] = static_cast<float>(vco.level);
    lfo_waves[i] = patch.lfos[i].wave;
    lfo_octaves[i] = static_cast<float>(std::log2(patch.lfos[i].hz / control_hz));
    lfo_steps[i] = phase_of_octaves(lfo_octaves[i]);
    width_phases[i] = phase_of_width(widths[i]);
  }
  // A hundredth of the way is left when the time is over.
  const double glide_steps = patch.glide_s * control_hz;
  if (glide_steps >= 1) glide = static_cast<float>(-std::expm1(std::log(0.01) / glide_steps));
  for (const Patch::Wire& wire : patch.wires) {
    const auto to = static_cast<std::size_t>(wire.to);
    amounts[to][static_cast<std::size_t>(wire.from)] += static_cast<float>(wire.amount);
    wired[to] = true;
    heard[static_cast<std::size_t>(wire.from)] = true;
  }
  k = 1 / q;
  hisses = noise > 0 || wired[static_cast<std::size_t>(Patch::Target::noise)];
}

}  // namespace ringwave::synth
