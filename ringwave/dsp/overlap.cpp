// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr double kPerfectDb = 1e-6;     // some thousand roundings of a double
constexpr double kNearDb = 0.1;         // what nobody hears
constexpr double kLeastWeight = 1e-10;  // of a sum of squares, against the window's greatest square
constexpr std::size_t kMostHops = 5;

struct Sums {
  double ripple_db = 0;
  double square_ripple_db = 0;
  double least_square = 0;
};

double ripple_of(double least, double most) {
  return least > 0 ? 20 * std::log10(most / least) : std::numeric_limits<double>::infinity();
}

/// Every sample between the ends meets the window at n, n + hop, n + 2 hop ...
Sums add_up(std::span<const double> window, int hop) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  double least_square = least;
  double most_square = 0;
  const int places = std::min(hop, static_cast<int>(window.size()) + 1);  // beyond the window all are alike
  for (int first = 0; first < places; ++first) {
    double sum = 0;
    double square = 0;
    for (auto n = static_cast<std::size_t>(first); n < window.size(); n += static_cast<std::size_t>(hop)) {
      sum += window[n];
      square += window[n] * window[n];
    }
    least = std::min(least, sum);
    most = std::max(most, sum);
    least_square = std::min(least_square, square);
    most_square = std::max(most_square, square);
  }
  return {ripple_of(least, most), ripple_of(least_square, most_square) / 2, least_square};
}

Overlap::Grade grade_of(const Sums& sums) {
  if (sums.least_square <= kLeastWeight) return Overlap::Grade::lost;
  if (sums.ripple_db <= kPerfectDb) return Overlap::Grade::perfect;
  return sums.ripple_db <= kNearDb ? Overlap::Grade::near : Overlap::Grade::uneven;
}

/// Hops worth a look: what divides the size is even for a periodic window, and one less for a symmetric one.
std::vector<int> hops_of_grade(std::span<const double> window, Overlap::Grade grade) {
  const int size = static_cast<int>(window.size());
  std::vector<int> found;
  for (const int whole : {size, size - 1})
    for (int parts = 2; parts <= std::min(whole, 64) && found.size() < kMostHops; ++parts) {
      const int hop = whole / parts;
      if (whole % parts == 0 && grade_of(add_up(window, hop)) == grade &&
          std::find(found.begin(), found.end(), hop) == found.end())
        found.push_back(hop);
    }
  std::sort(found.rbegin(), found.rend());
  return found;
}

}  // namespace

Overlap grade_overlap(const Window& window, int size, int hop) {
  const std::vector<double> values = window_values(window, size);
  if (hop < 1)
    throw InvalidArgument("a hop of " + std::to_string(hop) + " samples was asked for; use 1 or more");
  const Sums sums = add_up(values, hop);
  Overlap made{grade_of(sums), sums.ripple_db, sums.square_ripple_db,
               hops_of_grade(values, Overlap::Grade::perfect)};
  if (made.suggested_hops.empty()) made.suggested_hops = hops_of_grade(values, Overlap::Grade::near);
  return made;
}

std::string_view to_string(Overlap::Grade grade) noexcept {
  switch (grade) {
    case Overlap::Grade::perfect:
      return "perfect";
    case Overlap::Grade::near:
      return "near";
    case Overlap::Grade::uneven:
      return "uneven";
    case Overlap::Grade::lost:
      break;
  }
  return "lost";
}

}  // namespace ringwave::dsp
