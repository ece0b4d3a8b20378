// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/window.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kMostPoints = 1 << 26;
constexpr double kMostBeta = 100;

double value_at(const Window& window, double phase) {
  const double turn = 2 * std::numbers::pi * phase;
  switch (window.shape) {
    case Window::Shape::rectangular:
      return 1;
    case Window::Shape::hann:
      return 0.5 - 0.5 * std::cos(turn);
    case Window::Shape::hamming:
      return 0.54 - 0.46 * std::cos(turn);
    case Window::Shape::blackman:
      return 0.42 - 0.5 * std::cos(turn) + 0.08 * std::cos(2 * turn);
    case Window::Shape::kaiser:
      break;
  }
  return kaiser(2 * phase - 1, window.beta);
}

}  // namespace

std::vector<double> window_values(const Window& window, int size) {
  if (size < 1 || size > kMostPoints)
    throw InvalidArgument("a window of " + std::to_string(size) + " points was asked for; use 1 to 2^26");
  if (!(window.beta >= 0 && window.beta <= kMostBeta))
    throw InvalidArgument("a Kaiser window with a beta of " + std::to_string(window.beta) +
                          " was asked for; use 0 to 100");
  std::vector<double> values(static_cast<std::size_t>(size), 1.0);
  if (size == 1) return values;
  const double period = window.periodic ? size : size - 1;
  for (int n = 0; n < size; ++n) values[static_cast<std::size_t>(n)] = value_at(window, n / period);
  return values;
}

double kaiser(double place, double beta) {
  if (std::abs(place) > 1) return 0;
  return std::cyl_bessel_i(0.0, beta * std::sqrt(1 - place * place)) / std::cyl_bessel_i(0.0, beta);
}

}  // namespace ringwave::dsp
