// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "bench/parity.hpp"
#include "ringwave/dsp/section.hpp"

namespace ringwave::bench {

/// The least that a biquad's output must agree with the reference.
inline constexpr double kLeastBiquadDb = 110;

/// One channel through a cascade by the formula as it stands in section.hpp, all in double: direct form I, a
/// sample at a time. It shares nothing with the library's twins but the coefficients.
class BiquadReference {
 public:
  explicit BiquadReference(std::span<const dsp::Section> sections) {
    for (const dsp::Section& section : sections) stages_.push_back({section});
  }

  /// The next sample. [any]
  [[nodiscard]] double step(double x) noexcept {
    for (Stage& s : stages_) {
      const dsp::Section& c = s.section;
      const double y = c.b0 * x + c.b1 * s.x1 + c.b2 * s.x2 - c.a1 * s.y1 - c.a2 * s.y2;
      s.x2 = s.x1;
      s.x1 = x;
      s.y2 = s.y1;
      s.y1 = y;
      x = y;
    }
    return x;
  }

  /// Forgets the past. [any]
  void reset() noexcept {
    for (Stage& s : stages_) s = {s.section};
  }

  /// Adds the next samples of a channel and what was made of them. [any]
  void compare(std::span<const float> in, std::span<const float> out, Parity& parity) noexcept {
    for (std::size_t i = 0; i < in.size(); ++i)
      parity.add(step(static_cast<double>(in[i])), static_cast<double>(out[i]));
  }

 private:
  struct Stage {
    dsp::Section section;
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  };
  std::vector<Stage> stages_;
};

}  // namespace ringwave::bench
