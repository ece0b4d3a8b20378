// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/settings.hpp"

#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"

namespace ringwave::music {
namespace {

void require_range(const char* name, double value, double least, double most) {
  if (!(value >= least && value <= most))
    throw InvalidArgument(std::string(name) + " is " + number_text(value) + "; use " + number_text(least) +
                          " to " + number_text(most));
}

}  // namespace

void require_valid(const Settings& settings) {
  require_range("key", settings.key, 0, 11);
  require_range("bpm", settings.bpm, Settings::kLeastBpm, Settings::kMostBpm);
  require_range("intensity", settings.intensity, 0, 1);
  require_range("melody_complexity", settings.melody_complexity, 0, 1);
  require_range("progression_variety", settings.progression_variety, 0, 1);
  require_range("harmonic_density", settings.harmonic_density, 0, 1);
}

}  // namespace ringwave::music
