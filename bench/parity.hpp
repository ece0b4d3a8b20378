// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdio>

#include "bench/case.hpp"

namespace ringwave::bench {

/// How well a signal agrees with what it should be: the energy of the signal over that of the difference.
class Parity {
 public:
  /// One sample of both. [any]
  void add(double expected, double found) noexcept {
    signal_ += expected * expected;
    difference_ += (expected - found) * (expected - found);
  }

  /// Decibels; a signal that agrees to the last bit has 400. Below any number where something is NaN. [any]
  [[nodiscard]] double db() const noexcept {
    if (!(signal_ > 0) || !std::isfinite(difference_)) return -400;
    return difference_ > 0 ? std::fmin(400, 10 * std::log10(signal_ / difference_)) : 400;
  }

  /// Right from `least_db` on. [setup]
  [[nodiscard]] Check check(double least_db) const {
    char text[80];
    std::snprintf(text, sizeof text, db() >= least_db ? "%.0f dB" : "%.0f dB, less than the %.0f asked for",
                  db(), least_db);
    return {db() >= least_db, std::pow(10, -db() / 20), text};
  }

 private:
  double signal_ = 0;
  double difference_ = 0;
};

}  // namespace ringwave::bench
