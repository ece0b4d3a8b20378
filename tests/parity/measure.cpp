// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/measure.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>

namespace ringwave::parity {
namespace {

struct Worst {
  double decibels = std::numeric_limits<double>::infinity();
  std::string test;
};

std::map<std::string, Worst>& worst_by_device() {
  static std::map<std::string, Worst> worst;
  return worst;
}

void remember(const std::string& who, double decibels) {
  Worst& worst = worst_by_device()[who];
  if (decibels >= worst.decibels) return;
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  worst = {decibels, test == nullptr ? "" : std::string(test->test_suite_name()) + "." + test->name()};
}

/// Says at the end of the run how close it was.
class Summary final : public testing::Environment {
 public:
  void TearDown() override {
    for (const auto& [who, worst] : worst_by_device())
      std::cout << "worst parity on " << who << ": " << worst.decibels << " dB (" << worst.test << ")\n";
  }
};

const auto* const summary = testing::AddGlobalTestEnvironment(new Summary);

}  // namespace

Difference difference(std::span<const float> out, std::span<const double> reference) {
  double energy = 0;
  double error_energy = 0;
  Difference found;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double error = static_cast<double>(out[i]) - reference[i];
    energy += reference[i] * reference[i];
    error_energy += error * error;
    found.reference_peak = std::max(found.reference_peak, std::abs(reference[i]));
    // A NaN never compares as larger; it must not get lost.
    if (!(std::abs(error) <= found.peak)) found.peak = std::abs(error);
  }
  found.decibels =
      error_energy == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(energy / error_energy);
  return found;
}

testing::AssertionResult agrees(const std::string& who, std::span<const float> out,
                                std::span<const double> reference, double least_decibels) {
  if (out.size() != reference.size()) return testing::AssertionFailure() << "the lengths differ";
  const Difference found = difference(out, reference);
  if (found.peak <= static_cast<double>(std::numeric_limits<float>::min()))
    return testing::AssertionSuccess();
  remember(who, found.decibels);
  if (found.decibels >= least_decibels && found.peak <= kMostPeak * found.reference_peak)
    return testing::AssertionSuccess();
  std::size_t first = 0;
  while (first + 1 < out.size() &&
         std::abs(static_cast<double>(out[first]) - reference[first]) <= kMostPeak * found.reference_peak)
    ++first;
  return testing::AssertionFailure() << who << " differs: parity " << found.decibels << " dB (promised "
                                     << least_decibels << "), peak error " << found.peak << " of "
                                     << found.reference_peak << ", at frame " << first << " it is "
                                     << out[first] << " and should be " << reference[first];
}

}  // namespace ringwave::parity
