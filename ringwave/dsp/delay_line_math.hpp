// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/approx_math.hpp"
#include "ringwave/dsp/channel_rule.hpp"

/// Reading from between the samples of a delay line, and what turns the reading point.
namespace ringwave::dsp {

/// From p[1] to p[2], at `f` of the way: a cubic through four samples in a row, whose slope has no steps
/// (Catmull and Rom's).
template <class Sample>
[[nodiscard]] RW_HOST_DEVICE inline Sample cubic_between(const Sample (&p)[4], Sample f) {
  const Sample half = static_cast<Sample>(0.5);
  const Sample slope = (p[2] - p[0]) * half;
  const Sample square = p[0] - static_cast<Sample>(2.5) * p[1] + 2 * p[2] - p[3] * half;
  const Sample cube = (p[3] - p[0]) * half + static_cast<Sample>(1.5) * (p[1] - p[2]);
  return p[1] + f * (slope + f * (square + f * cube));
}

/// The line `frames` ago, which lie between 2 and size - 3: by cubic_between(). `newest` is the place that
/// was written last, one frame ago.
[[nodiscard]] RW_HOST_DEVICE inline double read_between(Line line, int size, int newest, double frames) {
  const int whole = static_cast<int>(frames);
  const double f = frames - whole;
  int place = newest + 1 - (whole - 1);
  double p[4] = {};
  for (int i = 0; i < 4; ++i) {
    if (place < 0) place += size;
    p[i] = static_cast<double>(line[place >= size ? place - size : place]);
    --place;
  }
  return cubic_between(p, f);
}

/// sin of a phase in 2^-32 of a turn: it wraps by itself, and is the same after a year.
[[nodiscard]] RW_HOST_DEVICE inline double turned(unsigned phase) {
  return approx::sine(static_cast<double>(phase) * (1 / 4294967296.0));
}

/// What may go round in a line: a finite number far from the end of float, or silence.
[[nodiscard]] RW_HOST_DEVICE inline float kept(double sample) {
  return sample < 1e20 && sample > -1e20 ? static_cast<float>(sample) : 0.0F;
}

}  // namespace ringwave::dsp
