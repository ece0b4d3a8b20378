// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bench/case.hpp"
#include "bench/coprocess.hpp"
#include "ringwave/dsp/section.hpp"

namespace ringwave::bench {

/// scipy.signal.sosfilt in a Python beside us, on one core, with the same noise as ours in and out as
/// float32. It times itself, so that talking to it is not in the figures.
class Scipy {
 public:
  /// How it computes inside: its sections in float, or in double with a cast at the end.
  enum class Precision { single, twofold };

  /// Starts it and lets it make its inputs. Throws InvalidState where Debian's Python or SciPy is not there.
  /// [setup]
  Scipy(int channels, int frames, std::span<const dsp::Section> sections, std::size_t sets);

  /// Filters all channels of input set `round` modulo `sets`; nanoseconds, or NaN when it died. [setup]
  [[nodiscard]] double filter(Precision precision, std::size_t round);

  /// Whether the end of the first channel came out as it should: that it did the same work as we. [setup]
  [[nodiscard]] Check check() const;

 private:
  int frames_;
  std::size_t sets_;
  std::vector<dsp::Section> sections_;
  Coprocess python_;
  std::size_t last_set_ = 0;
  std::vector<float> tail_;
};

}  // namespace ringwave::bench
