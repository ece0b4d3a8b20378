// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/dsp/approx_math.hpp"
#include "ringwave/dsp/channel_rule.hpp"

/// Reading from between the samples of a delay line, and what turns the reading point.
namespace ringwave::dsp {

/// The line `frames` ago, which lie between 2 and size - 3: a cubic through the four samples around (Catmull
/// and Rom's), whose slope has no steps. `newest` is the place that was written last, one frame ago.
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
  const double slope = (p[2] - p[0]) / 2;
  const double square = p[0] - 2.5 * p[1] + 2 * p[2] - p[3] / 2;
  const double cube = (p[3] - p[0]) / 2 + 1.5 * (p[1] - p[2]);
  return p[1] + f * (slope + f * (square + f * cube));
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
