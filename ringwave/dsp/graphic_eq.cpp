// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/graphic_eq.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/filter_design.hpp"

namespace ringwave::dsp {
namespace {

constexpr double kNearestOctaves = 0.05;
constexpr double kPeakWidth = 1.5;  // distances of two bands: wider is smoother between them, and fights more
constexpr double kMostPeakDecibels = 60;  // of a peak that works against its neighbours
constexpr int kRounds = 8;                // of Newton's method; half of them do for most settings

double spacing(const GraphicEq::Spec& spec) {
  const double octaves = std::log2(spec.highest_hz / spec.lowest_hz) / (spec.bands - 1);
  if (spec.bands < 2 || spec.bands > GraphicEq::kMostBands || !(spec.lowest_hz > 0) ||
      !(octaves >= kNearestOctaves) || !(spec.highest_hz < spec.sample_rate_hz / 2))
    throw InvalidArgument("a graphic equaliser of " + std::to_string(spec.bands) + " bands from " +
                          std::to_string(spec.lowest_hz) + " to " + std::to_string(spec.highest_hz) +
                          " Hz was asked for at a rate of " + std::to_string(spec.sample_rate_hz) +
                          " Hz; use 2 to 31 bands, 0.05 octaves apart or more, below half the rate");
  return octaves;
}

std::vector<double> centers_of(const GraphicEq::Spec& spec, double octaves) {
  std::vector<double> centers;
  centers.reserve(static_cast<std::size_t>(spec.bands));
  for (int band = 0; band < spec.bands; ++band) centers.push_back(spec.lowest_hz * std::exp2(octaves * band));
  return centers;
}

/// The inverse of a square matrix, by Gauss and Jordan with the largest pivot.
std::vector<double> inverted(std::vector<double> matrix, std::size_t order) {
  std::vector<double> inverse(order * order);
  for (std::size_t i = 0; i < order; ++i) inverse[i * order + i] = 1;
  for (std::size_t column = 0; column < order; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < order; ++row)
      if (std::abs(matrix[row * order + column]) > std::abs(matrix[pivot * order + column])) pivot = row;
    for (std::size_t i = 0; i < order; ++i) {
      std::swap(matrix[pivot * order + i], matrix[column * order + i]);
      std::swap(inverse[pivot * order + i], inverse[column * order + i]);
    }
    const double scale = 1 / matrix[column * order + column];
    for (std::size_t i = 0; i < order; ++i) {
      matrix[column * order + i] *= scale;
      inverse[column * order + i] *= scale;
    }
    for (std::size_t row = 0; row < order; ++row) {
      const double factor = row == column ? 0 : matrix[row * order + column];
      for (std::size_t i = 0; i < order; ++i) {
        matrix[row * order + i] -= factor * matrix[column * order + i];
        inverse[row * order + i] -= factor * inverse[column * order + i];
      }
    }
  }
  return inverse;
}

}  // namespace

GraphicEq::GraphicEq(Device device, const Spec& spec)
    : sample_rate_hz_(spec.sample_rate_hz),
      spacing_(spacing(spec)),
      centers_(centers_of(spec, spacing_)),
      sections_(centers_.size()),
      filter_(device, {spec.channels, spec.max_block_frames, spec.smooth_frames}, sections_) {
  const auto axis = [this](double hz) { return std::tan(std::numbers::pi * hz / sample_rate_hz_); };
  for (const double hz : centers_) qs_.push_back(q_of_bandwidth(kPeakWidth * spacing_, hz, sample_rate_hz_));
  for (const double hz : centers_)
    for (std::size_t peak = 0; peak < bands(); ++peak) {
      const double ratio = axis(hz) / axis(centers_[peak]);
      const double away = qs_[peak] * (ratio - 1 / ratio);
      distances_.push_back(away * away);
    }
  std::vector<double> reach;  // of a peak of 1 dB
  for (std::size_t band = 0; band < bands(); ++band)
    for (std::size_t peak = 0; peak < bands(); ++peak) {
      Gains one{};
      one[peak] = 1;
      reach.push_back(level_db(band, one));
    }
  inverse_ = inverted(std::move(reach), bands());
}

/// A peak of gain A^2 at its distance d from the centre, d^2 = q^2 (f/center - center/f)^2 on the analogue
/// side: |H|^2 = (d^2 + A^2) / (d^2 + 1/A^2).
double GraphicEq::level_db(std::size_t band, const Gains& gains) const noexcept {
  double power = 1;
  for (std::size_t peak = 0; peak < bands(); ++peak) {
    const double a_squared = std::pow(10, gains[peak] / 20);
    const double distance = distances_[band * bands() + peak];
    power *= (distance + a_squared) / (distance + 1 / a_squared);
  }
  return 10 * std::log10(power);
}

void GraphicEq::solve() noexcept {
  Gains gains{};
  Gains missing = asked_;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t peak = 0; peak < bands(); ++peak)
      for (std::size_t band = 0; band < bands(); ++band)
        gains[peak] += inverse_[peak * bands() + band] * missing[band];
    for (double& gain : gains) gain = std::clamp(gain, -kMostPeakDecibels, kMostPeakDecibels);
    for (std::size_t band = 0; band < bands(); ++band) missing[band] = asked_[band] - level_db(band, gains);
  }
  for (std::size_t peak = 0; peak < bands(); ++peak)
    sections_[peak] = peaking(centers_[peak], qs_[peak], gains[peak], sample_rate_hz_);
  (void)filter_.set_sections(sections_);
}

bool GraphicEq::set_gain_db(int band, double gain_db) noexcept {
  if (band < 0 || band >= static_cast<int>(bands()) || !(std::abs(gain_db) <= kMostDecibels)) return false;
  asked_[static_cast<std::size_t>(band)] = gain_db;
  solve();
  return true;
}

bool GraphicEq::set_gains_db(std::span<const double> gains_db) noexcept {
  const auto fits = [](double gain) { return std::abs(gain) <= kMostDecibels; };
  if (gains_db.size() != bands() || !std::ranges::all_of(gains_db, fits)) return false;
  std::ranges::copy(gains_db, asked_.begin());
  solve();
  return true;
}

double GraphicEq::response_db(double hz) const noexcept {
  return dsp::response_db(sections_, hz, sample_rate_hz_);
}

}  // namespace ringwave::dsp
