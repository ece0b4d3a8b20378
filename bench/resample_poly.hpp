// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "bench/coprocess.hpp"

namespace ringwave::bench {

/// scipy.signal.resample_poly in a Python beside us, on one core, with the same noise as ours in and out as
/// float32. It times itself, so that talking to it is not in the figures.
class ResamplePoly {
 public:
  /// Starts it and lets it make its inputs. Throws InvalidState where Debian's Python or SciPy is not there.
  /// [setup]
  ResamplePoly(int channels, int frames, int up, int down, std::size_t sets);

  /// Resamples all channels of input set `round` modulo `sets`; nanoseconds, or NaN when it died. [setup]
  [[nodiscard]] double resample(std::size_t round);

  /// The last samples of the first channel, as it made them last. [any]
  [[nodiscard]] const std::vector<float>& tail() const noexcept { return tail_; }

 private:
  std::size_t sets_;
  Coprocess python_;
  std::vector<float> tail_;
};

}  // namespace ringwave::bench
