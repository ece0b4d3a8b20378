// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/linkwitz_riley.hpp"

#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/butterworth.hpp"

namespace ringwave::dsp {
namespace {

int half_of(int order) {
  if (order < 2 || order > 128 || order % 2 != 0)
    throw InvalidArgument("a Linkwitz-Riley filter of order " + std::to_string(order) +
                          " was asked for; use an even order from 2 to 128");
  return order / 2;
}

/// Every section twice; a first-order one becomes a single section of second order.
std::vector<Section> squared(const std::vector<Section>& once) {
  std::vector<Section> twice;
  for (const Section& s : once) {
    if (s.a2 == 0 && s.b2 == 0) {
      twice.push_back({s.b0 * s.b0, 2 * s.b0 * s.b1, s.b1 * s.b1, 2 * s.a1, s.a1 * s.a1});
    } else {
      twice.push_back(s);
      twice.push_back(s);
    }
  }
  return twice;
}

}  // namespace

std::vector<Section> linkwitz_riley_lowpass(int order, double crossover_hz, double sample_rate_hz) {
  return squared(butterworth_lowpass(half_of(order), crossover_hz, sample_rate_hz));
}

std::vector<Section> linkwitz_riley_highpass(int order, double crossover_hz, double sample_rate_hz) {
  std::vector<Section> made = squared(butterworth_highpass(half_of(order), crossover_hz, sample_rate_hz));
  if (order / 2 % 2 == 1) {
    Section& first = made.front();
    first.b0 = -first.b0;
    first.b1 = -first.b1;
    first.b2 = -first.b2;
  }
  return made;
}

}  // namespace ringwave::dsp
