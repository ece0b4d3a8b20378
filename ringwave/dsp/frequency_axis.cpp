// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/frequency_axis.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr double kLowestHeardHz = 20;
constexpr double kMelCornerHz = 700;

}  // namespace

FrequencyAxis::FrequencyAxis(Scale scale, int sample_rate_hz)
    : scale_(scale), lowest_hz_(0), highest_hz_(sample_rate_hz / 2.0) {
  if (sample_rate_hz < 1)
    throw InvalidArgument("a frequency axis was asked for at a rate of " + std::to_string(sample_rate_hz) +
                          " Hz; use 1 Hz or more");
  if (scale == Scale::log) lowest_hz_ = std::min(kLowestHeardHz, highest_hz_ / 100);
}

double FrequencyAxis::hz_at(double position) const noexcept {
  const double at = std::lerp(bent(lowest_hz_), bent(highest_hz_), position);
  switch (scale_) {
    case Scale::log:
      return std::exp(at);
    case Scale::mel:
      return kMelCornerHz * std::expm1(at);
    case Scale::linear:
      break;
  }
  return at;
}

double FrequencyAxis::position_of(double hz) const noexcept {
  const double lowest = bent(lowest_hz_);
  return (bent(hz) - lowest) / (bent(highest_hz_) - lowest);
}

/// The frequency on a ruler where the axis is even.
double FrequencyAxis::bent(double hz) const noexcept {
  switch (scale_) {
    case Scale::log:
      return std::log(hz);
    case Scale::mel:
      return std::log1p(hz / kMelCornerHz);
    case Scale::linear:
      break;
  }
  return hz;
}

FrequencyAxis::Scale frequency_scale_of_name(std::string_view name) {
  if (name == "linear") return FrequencyAxis::Scale::linear;
  if (name == "log") return FrequencyAxis::Scale::log;
  if (name == "mel") return FrequencyAxis::Scale::mel;
  throw InvalidArgument("'" + std::string(name) + "' is no scale of frequencies; use linear, log or mel");
}

}  // namespace ringwave::dsp
