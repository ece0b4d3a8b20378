// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ringwave::dsp {

/// Where a frequency stands on a picture's axis, from 0 at the lowest to 1 at the highest, half the rate:
///
///   linear   f / highest                       from 0 Hz on
///   log      ln(f / lowest) / ln(highest / lowest)   from 20 Hz on, or a hundredth of the highest if that is
///   less mel      m(f) / m(highest),  m(f) = ln(1 + f / 700 Hz)   from 0 Hz on
class FrequencyAxis {
 public:
  enum class Scale : unsigned char { linear, log, mel };

  /// Throws InvalidArgument for a rate below 1 Hz. [setup]
  FrequencyAxis(Scale scale, int sample_rate_hz);

  /// The frequency at a place. [any]
  [[nodiscard]] double hz_at(double position) const noexcept;
  /// The place of a frequency; beyond 0 and 1 for one that is beyond the ends. [any]
  [[nodiscard]] double position_of(double hz) const noexcept;

  [[nodiscard]] Scale scale() const noexcept { return scale_; }
  [[nodiscard]] double lowest_hz() const noexcept { return lowest_hz_; }
  [[nodiscard]] double highest_hz() const noexcept { return highest_hz_; }

 private:
  [[nodiscard]] double bent(double hz) const noexcept;

  Scale scale_;
  double lowest_hz_;
  double highest_hz_;
};

/// "linear", "log" or "mel". Throws InvalidArgument for another. [setup]
[[nodiscard]] FrequencyAxis::Scale frequency_scale_of_name(std::string_view name);

}  // namespace ringwave::dsp
