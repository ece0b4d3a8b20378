// SPDX-License-Identifier: Apache-2.0
#include "bench/duration.hpp"

#include <array>
#include <cstdio>

namespace ringwave::bench {

std::string format_duration(double nanoseconds) {
  static constexpr std::array<const char*, 4> kUnits{"ns", "us", "ms", "s"};
  std::size_t unit = 0;
  double value = nanoseconds;
  // 999.5 would be printed as 1000 of the smaller unit.
  while (unit + 1 < kUnits.size() && value >= 999.5) {
    value /= 1000;
    ++unit;
  }
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f %s", digits, value, kUnits[unit]);
  return text;
}

}  // namespace ringwave::bench
