// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/resampler_filter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ringwave/dsp/sinc.hpp"
#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {
namespace {

/// What a windowed sinc is made of; frequencies as a share of the lower Nyquist frequency.
struct Design {
  double cutoff;     // where it is at -6 dB
  double half_taps;  // on either side of the middle, in samples of the lower rate
  double beta;       // of Kaiser's window
};

/// Kaiser's own formulas: (A - 7.95) / (2.285 width) taps, in radians of the rate that the filter runs at,
/// and beta = 0.1102 (A - 8.7), for a stop band A dB down. At the edge of the band they are over 1 dB too
/// hopeful: ask for 3 dB more than is promised.
Design kaiser_design(double stopband_db, double pass, double stop) noexcept {
  const double width = std::numbers::pi * (stop - pass);
  return {(pass + stop) / 2, (stopband_db - 7.95) / (2.285 * width) / 2, 0.1102 * (stopband_db - 8.7)};
}

Design design_of(ResamplerQuality quality) noexcept {
  switch (quality) {
    case ResamplerQuality::high:
      return kaiser_design(99, 0.9, 1);
    case ResamplerQuality::best:
      return kaiser_design(123, 0.9, 1);
    case ResamplerQuality::finest:
      return kaiser_design(139.5, 0.91, 1);
    case ResamplerQuality::standard:
      break;
  }
  return {1, 10, 5};
}

std::int64_t half_length(const Design& design, int up, int down) noexcept {
  return static_cast<std::int64_t>(std::ceil(design.half_taps * std::max(up, down)));
}

}  // namespace

std::int64_t resampler_filter_taps(int up, int down, ResamplerQuality quality) noexcept {
  return up == 1 && down == 1 ? 1 : 2 * half_length(design_of(quality), up, down) + 1;
}

std::vector<double> resampler_filter(int up, int down, ResamplerQuality quality) {
  if (up == 1 && down == 1) return {1};
  const Design design = design_of(quality);
  const double longest = std::max(up, down);
  const std::int64_t half = half_length(design, up, down);
  std::vector<double> taps(static_cast<std::size_t>(2 * half + 1));
  double sum = 0;
  for (std::int64_t k = 0; k <= half; ++k) {  // from the middle out; the other side is the same
    const double place = static_cast<double>(k) / static_cast<double>(half);
    const double tap = kaiser(place, design.beta) * sinc(static_cast<double>(k) * design.cutoff / longest);
    taps[static_cast<std::size_t>(half + k)] = taps[static_cast<std::size_t>(half - k)] = tap;
    sum += k == 0 ? tap : 2 * tap;
  }
  for (double& tap : taps) tap *= up / sum;
  return taps;
}

}  // namespace ringwave::dsp
