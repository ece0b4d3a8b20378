// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectrogram_layer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringwave::dsp {
namespace {

constexpr int kColumnsPerPixel = 4;  // before each two become one

/// On the straight line between two levels in dB.
float power_between(float from, float to, float part) {
  constexpr float kNothing = 1e-30F;  // so far below the floor that it is silence
  const float below = std::log2(std::max(from, kNothing));
  return std::exp2(below + part * (std::log2(std::max(to, kNothing)) - below));
}

}  // namespace

SpectrogramLayer::SpectrogramLayer(const Spec& spec, const FrequencyAxis& axis)
    : spec_(spec),
      spectrum_(spec.window, spec.size, spec.points),
      rows_(make_rows(axis)),
      pending_(static_cast<std::size_t>(spec.pictures)),
      sums_(static_cast<std::size_t>(spec.pictures) * rows_.size()) {
  // The silence before the first sample.
  for (auto& samples : pending_) samples.assign(static_cast<std::size_t>((spec_.size - spec_.hop) / 2), 0.0F);
}

void SpectrogramLayer::add(std::span<const std::vector<float>> pictures) {
  for (std::size_t picture = 0; picture < pending_.size(); ++picture)
    pending_[picture].insert(pending_[picture].end(), pictures[picture].begin(), pictures[picture].end());
  run_frames({});
}

void SpectrogramLayer::finish(std::int64_t frames) {
  const std::int64_t wanted = (frames + spec_.hop - 1) / spec_.hop;
  while (transformed_ < wanted) {
    for (auto& samples : pending_) samples.resize(static_cast<std::size_t>(spec_.size));
    run_frames(frames);
  }
  if (frames_in_column_ > 0) close_column(true);
  // The last column may be less than one.
  columns_per_pixel_ = static_cast<double>(frames) / spec_.hop / frames_per_column_ / spec_.width;
}

double SpectrogramLayer::power(int picture, int row, int x) const noexcept {
  if (columns_.empty()) return 0;
  const std::size_t index = static_cast<std::size_t>(picture) * rows_.size() + static_cast<std::size_t>(row);
  const double step = columns_per_pixel_;
  const double begin = x * step;
  return step >= 1 ? mean_between(index, begin, begin + step) : power_at(index, begin + step / 2 - 0.5);
}

/// From the lowest up.
std::vector<SpectrogramLayer::Row> SpectrogramLayer::make_rows(const FrequencyAxis& axis) const {
  std::vector<Row> rows;
  const double bins_per_hz = spec_.points / (2 * axis.highest_hz());
  const int highest = spectrum_.bin_count() - 1;
  for (int row = 0; row < spec_.rows; ++row) {
    const auto bin_at = [&](double place) { return axis.hz_at(place / spec_.height) * bins_per_hz; };
    const int first = static_cast<int>(std::ceil(bin_at(row)));
    const bool is_top = row + 1 == spec_.height;
    const int last = is_top ? highest : std::min(highest, static_cast<int>(std::ceil(bin_at(row + 1))) - 1);
    if (first <= last) {
      rows.push_back({static_cast<std::size_t>(first), static_cast<std::size_t>(last)});
      continue;
    }
    const double middle = std::clamp(bin_at(row + 0.5), 0.0, static_cast<double>(highest));
    const auto below = static_cast<std::size_t>(std::min(std::floor(middle), highest - 1.0));
    rows.push_back({below, below + 1, static_cast<float>(middle - static_cast<double>(below))});
  }
  return rows;
}

/// On the line between the middles of two columns.
double SpectrogramLayer::power_at(std::size_t index, double column) const noexcept {
  const double at = std::clamp(column, 0.0, static_cast<double>(columns_.size() - 1));
  const auto left = static_cast<std::size_t>(at);
  const std::size_t right = std::min(left + 1, columns_.size() - 1);
  return std::lerp(static_cast<double>(columns_[left][index]), static_cast<double>(columns_[right][index]),
                   at - static_cast<double>(left));
}

double SpectrogramLayer::mean_between(std::size_t index, double begin, double end) const noexcept {
  double sum = 0;
  double weights = 0;
  const std::size_t stop = std::min(columns_.size(), static_cast<std::size_t>(std::ceil(end)));
  for (auto column = static_cast<std::size_t>(begin); column < stop; ++column) {
    const auto left = static_cast<double>(column);
    const double weight = std::min(end, left + 1) - std::max(begin, left);
    sum += weight * static_cast<double>(columns_[column][index]);
    weights += weight;
  }
  return weights > 0 ? sum / weights : power_at(index, begin);
}

/// Transforms every frame that is whole, up to those that the signal's end is in, and forgets what no frame
/// needs any more.
void SpectrogramLayer::run_frames(std::optional<std::int64_t> end) {
  const auto size = static_cast<std::size_t>(spec_.size);
  const auto hop = static_cast<std::size_t>(spec_.hop);
  std::size_t begin = 0;
  for (; begin + size <= pending_[0].size(); begin += hop) {
    if (end && transformed_ * spec_.hop >= *end) break;
    for (std::size_t picture = 0; picture < pending_.size(); ++picture)
      see(picture, spectrum_.of(std::span(pending_[picture]).subspan(begin, size), {}));
    ++transformed_;
    if (++frames_in_column_ == frames_per_column_) close_column(end.has_value());
  }
  for (auto& samples : pending_)
    samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(begin));
}

void SpectrogramLayer::see(std::size_t picture, std::span<const float> powers) {
  double* sum = sums_.data() + picture * rows_.size();
  for (const Row& row : rows_) {
    const float* const first = powers.data() + row.first;
    *sum++ += static_cast<double>(row.between ? power_between(*first, powers[row.last], *row.between)
                                              : *std::max_element(first, powers.data() + row.last + 1));
  }
}

/// The last column may be of fewer frames than the others, and stays as it is.
void SpectrogramLayer::close_column(bool is_last) {
  std::vector<float>& column = columns_.emplace_back(sums_.size());
  for (std::size_t i = 0; i < sums_.size(); ++i) column[i] = static_cast<float>(sums_[i] / frames_in_column_);
  std::ranges::fill(sums_, 0.0);
  frames_in_column_ = 0;
  const bool is_full =
      columns_.size() >= static_cast<std::size_t>(kColumnsPerPixel) * static_cast<std::size_t>(spec_.width);
  if (is_full && !is_last) merge_columns();
}

void SpectrogramLayer::merge_columns() {
  const std::size_t half = columns_.size() / 2;
  for (std::size_t to = 0; to < half; ++to) {
    std::vector<float>& left = columns_[2 * to];
    const std::vector<float>& right = columns_[2 * to + 1];
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = (left[i] + right[i]) / 2;
    if (to > 0) columns_[to] = std::move(left);
  }
  columns_.resize(half);
  frames_per_column_ *= 2;
}

}  // namespace ringwave::dsp
