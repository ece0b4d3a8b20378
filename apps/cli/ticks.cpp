// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace ringwave::cli {
namespace {

/// The shortest text of a number with six digits at most.
std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least) {
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= least * (1 - 1e-9)) return factor * decade;
  return 10 * decade;
}

/// A step that clocks have, at least `least`.
double round_time_step(double least) {
  if (least <= 1) return round_step(least);
  for (const double step : {2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0})
    if (step >= least) return step;
  return 3600 * round_step(std::max(1.0, least / 3600));
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  std::array<char, 48> text{};
  if (whole < 3600)
    std::snprintf(text.data(), text.size(), "%lld:%02lld", whole / 60, whole % 60);
  else
    std::snprintf(text.data(), text.size(), "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
  return text.data();
}

std::string time_text(double seconds, double step) {
  if (step >= 1) return clock_text(seconds);
  return step >= 0.01 ? number(seconds) + " s" : number(seconds * 1000) + " ms";
}

std::string frequency_text(double hz) {
  return hz >= 1000 ? number(hz / 1000) + "k" : number(hz);
}

/// From the roundest on: the ends of decades, then their fives and twos, then the rest.
std::vector<double> round_frequencies(const dsp::FrequencyAxis& axis) {
  std::vector<double> all;
  if (axis.scale() == dsp::FrequencyAxis::Scale::linear) return all;
  const double lowest = axis.lowest_hz() > 0 ? axis.lowest_hz() : axis.highest_hz() / 1000;
  for (const auto& factors : {std::vector{1.0}, {5.0}, {2.0}, {3.0}, {7.0}})
    for (double decade = std::pow(10, std::ceil(std::log10(axis.highest_hz()))); decade >= lowest / 10;
         decade /= 10)
      for (const double factor : factors) all.push_back(factor * decade);
  return all;
}

}  // namespace

std::vector<Tick> time_ticks(double seconds, int most) {
  std::vector<Tick> ticks;
  const double step = round_time_step(seconds / std::max(1, most - 1));
  for (int i = 0; i * step <= seconds * (1 + 1e-9) && i < most; ++i)
    ticks.push_back({std::min(1.0, i * step / seconds), time_text(i * step, step)});
  return ticks;
}

std::vector<Tick> frequency_ticks(const dsp::FrequencyAxis& axis, double nearest) {
  std::vector<double> wanted = round_frequencies(axis);
  if (wanted.empty()) {
    const double step = round_step(std::min(1.0, nearest) * axis.highest_hz());
    for (double hz = step; hz <= axis.highest_hz(); hz += step) wanted.push_back(hz);
  }
  if (axis.lowest_hz() <= 0) wanted.insert(wanted.begin(), 0.0);
  std::vector<Tick> ticks;
  for (const double hz : wanted) {
    if (hz < axis.lowest_hz() || hz > axis.highest_hz()) continue;
    const double position = axis.position_of(hz);
    const bool is_free = std::ranges::all_of(
        ticks, [&](const Tick& tick) { return std::abs(tick.position - position) >= nearest * (1 - 1e-9); });
    if (is_free) ticks.push_back({position, frequency_text(hz)});
  }
  return ticks;
}

std::vector<Tick> level_ticks(double floor_db, double ceiling_db, int most) {
  std::vector<Tick> ticks;
  const double step = round_step((ceiling_db - floor_db) / std::max(1, most - 1));
  for (double level = std::ceil(floor_db / step) * step; level <= ceiling_db + step * 1e-9; level += step)
    ticks.push_back({(level - floor_db) / (ceiling_db - floor_db), number(std::round(level / step) * step)});
  return ticks;
}

std::string duration_text(double seconds) {
  if (seconds >= 60) return clock_text(seconds);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", seconds >= 0.1 ? seconds : seconds * 1000);
  return text.data() + std::string(seconds >= 0.1 ? " s" : " ms");
}

}  // namespace ringwave::cli
