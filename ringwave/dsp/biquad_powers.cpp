// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/biquad_powers.hpp"

namespace ringwave::dsp {
namespace {

/// One silent sample through the cascade; `states` holds s1 and s2 of each section.
void step_silence(std::span<const Recurrence> cascade, std::span<long double> states) {
  long double x = 0;
  for (std::size_t section = 0; section < cascade.size(); ++section) {
    const Recurrence& r = cascade[section];
    long double& s1 = states[2 * section];
    long double& s2 = states[2 * section + 1];
    const long double y = r.b0 * x + s1;
    const long double next = r.c1 * x - r.a1 * s1 + s2;
    s2 = r.c2 * x - r.a2 * s1;
    s1 = next;
    x = y;
  }
}

}  // namespace

StateTransition::StateTransition(std::span<const Recurrence> cascade, int steps)
    : StateTransition(2 * cascade.size()) {
  std::vector<long double> states(order_);
  for (std::size_t column = 0; column < order_; ++column) {
    states.assign(order_, 0);
    states[column] = 1;
    for (int n = 0; n < steps; ++n) step_silence(cascade, states);
    for (std::size_t row = 0; row < order_; ++row) entries_[row * order_ + column] = states[row];
  }
}

StateTransition StateTransition::times(const StateTransition& other) const {
  StateTransition product(order_);
  for (std::size_t row = 0; row < order_; ++row)
    for (std::size_t inner = 0; inner < order_; ++inner)
      for (std::size_t column = 0; column < order_; ++column)
        product.entries_[row * order_ + column] +=
            entries_[row * order_ + inner] * other.entries_[inner * order_ + column];
  return product;
}

StateTransition StateTransition::identity() const {
  StateTransition one(order_);
  for (std::size_t i = 0; i < order_; ++i) one.entries_[i * order_ + i] = 1;
  return one;
}

}  // namespace ringwave::dsp
