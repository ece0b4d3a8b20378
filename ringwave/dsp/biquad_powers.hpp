// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ringwave/dsp/biquad_math.hpp"

namespace ringwave::dsp {

/// How the states of a cascade at rest of input go on over time: the matrix M of  s[n + steps] = M s[n].
///
/// Its entries are computed in long double: powers of a sharp low filter grow before they decay, and each
/// squaring adds its rounding to them.
class StateTransition {
 public:
  /// The matrix of `steps` samples, found by running the cascade from each unit state. [setup]
  StateTransition(std::span<const Recurrence> cascade, int steps);

  /// The matrix of twice as many samples. [setup]
  [[nodiscard]] StateTransition squared() const { return times(*this); }

  /// This many samples after those of `other`. [setup]
  [[nodiscard]] StateTransition times(const StateTransition& other) const;

  /// The matrix of no sample at all. [setup]
  [[nodiscard]] StateTransition identity() const;

  [[nodiscard]] std::size_t order() const noexcept { return order_; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return static_cast<double>(entries_[row * order_ + column]);
  }

 private:
  explicit StateTransition(std::size_t order) : order_(order), entries_(order * order) {}

  std::size_t order_;
  std::vector<long double> entries_;  // row-major
};

}  // namespace ringwave::dsp
