// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ringwave/dsp/frequency_axis.hpp"

namespace ringwave::cli {

/// A mark on an axis.
struct Tick {
  double position = 0;  ///< 0 to 1
  std::string label;
};

/// Round times from 0 to `seconds`, at most `most` of them: "0:30", or "0.2 s" and "5 ms" where they are
/// short. [setup]
[[nodiscard]] std::vector<Tick> time_ticks(double seconds, int most);

/// Round frequencies, no two nearer than `nearest` of the axis: "500", "2k". [setup]
[[nodiscard]] std::vector<Tick> frequency_ticks(const dsp::FrequencyAxis& axis, double nearest);

/// Round levels from one to the other, at most `most` of them. [setup]
[[nodiscard]] std::vector<Tick> level_ticks(double floor_db, double ceiling_db, int most);

/// A length of time: "3:05", "1:02:03", "0.25 s". [setup]
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace ringwave::cli
