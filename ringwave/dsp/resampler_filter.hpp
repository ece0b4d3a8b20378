// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ringwave::dsp {

/// What a resampler keeps of the band below the lower of the two Nyquist frequencies, and what is left of the
/// rest.
enum class ResamplerQuality : unsigned char {
  standard,  ///< scipy.signal.resample_poly's own filter: -6 dB at Nyquist, -60 dB at 1.15 times it
  high,      ///< kept up to 0.9 of it, -96 dB from it on
  best,      ///< kept up to 0.9 of it, -120 dB from it on
  finest,    ///< kept up to 0.91 of it, -136 dB from it on: float samples hold little more
};

/// The low-pass filter between `up` - 1 zeros put in and every `down`-th sample taken: an odd number of taps,
/// symmetric about the middle one, with a sum of `up`. A sinc under a Kaiser window; for a ratio of 1
/// the number 1 alone. Expects a ratio that is reduced. [setup]
[[nodiscard]] std::vector<double> resampler_filter(int up, int down, ResamplerQuality quality);

/// How many taps that filter has. [any]
[[nodiscard]] std::int64_t resampler_filter_taps(int up, int down, ResamplerQuality quality) noexcept;

}  // namespace ringwave::dsp
