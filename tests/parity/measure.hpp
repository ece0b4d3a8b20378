// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>

namespace ringwave::parity {

/// How far an op's output is from what it should be.
struct Difference {
  double decibels = 0;  ///< 20 log10(rms of the reference / rms of the difference); infinite where they agree
  double peak = 0;      ///< largest absolute difference
  double reference_peak = 0;
};

[[nodiscard]] Difference difference(std::span<const float> out, std::span<const double> reference);

/// Ringwave's promise. Rounding the output to float once leaves 150 dB; 110 dB leaves a GPU the freedom to
/// add in another order, and is still 14 dB under the last bit of 16-bit audio at full scale.
inline constexpr double kPromisedDecibels = 110;

/// No single sample may be further off than this share of the loudest one: some sixteen float roundings. It
/// catches the one wrong sample in a long block that hardly moves an average.
inline constexpr double kMostPeak = 1e-6;

/// Success where the difference keeps both promises. Below the smallest normal float there is no promise: a
/// CPU flushes it to zero, a GPU may not. `who` names the device in the summary of the run.
[[nodiscard]] testing::AssertionResult agrees(const std::string& who, std::span<const float> out,
                                              std::span<const double> reference,
                                              double least_decibels = kPromisedDecibels);

}  // namespace ringwave::parity
