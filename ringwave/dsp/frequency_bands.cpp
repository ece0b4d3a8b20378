// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/frequency_bands.hpp"

#include <cmath>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kMostBands = 4096;

}  // namespace

std::vector<FrequencyBand> even_bands(int count, double lowest_hz, double highest_hz) {
  if (count < 1 || count > kMostBands || !(lowest_hz > 0) || !(highest_hz > lowest_hz) ||
      !std::isfinite(highest_hz))
    throw InvalidArgument(std::to_string(count) + " bands from " + std::to_string(lowest_hz) + " to " +
                          std::to_string(highest_hz) + " Hz were asked for; use 1 to " +
                          std::to_string(kMostBands) + " between two frequencies above 0, the lower first");
  const double ratio = highest_hz / lowest_hz;
  const auto at = [&](double edge) { return lowest_hz * std::pow(ratio, edge / count); };
  std::vector<FrequencyBand> bands;
  bands.reserve(static_cast<std::size_t>(count));
  for (int band = 0; band < count; ++band) bands.push_back({at(band), at(band + 0.5), at(band + 1)});
  return bands;
}

std::vector<FrequencyBand> third_octave_bands(double lowest_hz, double highest_hz) {
  constexpr double kNominal = 1.02;  // 31.5 Hz is called what is 31.62 Hz
  std::vector<FrequencyBand> bands;
  if (lowest_hz >= 1e-3 && highest_hz >= lowest_hz && highest_hz <= 1e7) {
    const int first = static_cast<int>(std::ceil(10 * std::log10(lowest_hz / kNominal / 1000)));
    const int last = static_cast<int>(std::floor(10 * std::log10(highest_hz * kNominal / 1000)));
    const auto at = [](double tenths) { return 1000 * std::pow(10, tenths / 10); };
    for (int n = first; n <= last; ++n) bands.push_back({at(n - 0.5), at(n), at(n + 0.5)});
  }
  if (bands.empty())
    throw InvalidArgument(
        "third-octave bands from " + std::to_string(lowest_hz) + " to " + std::to_string(highest_hz) +
        " Hz were asked for; use frequencies from 0.001 to 1e7 Hz with a centre between them");
  return bands;
}

}  // namespace ringwave::dsp
