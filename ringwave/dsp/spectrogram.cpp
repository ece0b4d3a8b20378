// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectrogram.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kColumnsPerPixel = 4;  // before each two become one

void require_shape(const Spectrogram::Spec& spec) {
  const bool has_channel =
      spec.show != Spectrogram::Channels::one || (spec.channel >= 0 && spec.channel < spec.channels);
  if (spec.channels < 1 || spec.channels > Spectrogram::kMostChannels || !has_channel)
    throw InvalidArgument("a spectrogram of channel " + std::to_string(spec.channel + 1) + " of " +
                          std::to_string(spec.channels) + " was asked for; use 1 to " +
                          std::to_string(Spectrogram::kMostChannels) + " channels, and one of them");
  const int pictures = spec.show == Spectrogram::Channels::all ? spec.channels : 1;
  if (spec.width < 1 || spec.height < 1 || spec.width > Spectrogram::kMostPixels / spec.height / pictures)
    throw InvalidArgument("a spectrogram of " + std::to_string(spec.width) + " x " +
                          std::to_string(spec.height) + " pixels for each of " + std::to_string(pictures) +
                          " channels was asked for; use 1 to " + std::to_string(Spectrogram::kMostPixels) +
                          " pixels in all");
}

const Spectrogram::Spec& checked(const Spectrogram::Spec& spec) {
  require_shape(spec);
  if (spec.hop < 1 || spec.hop > spec.size)
    throw InvalidArgument("a spectrogram with a hop of " + std::to_string(spec.hop) + " and a size of " +
                          std::to_string(spec.size) + " was asked for; use a hop from 1 to the size");
  return spec;
}

/// On the straight line between two levels in dB.
float power_between(float from, float to, float part) {
  constexpr float kNothing = 1e-30F;  // so far below the floor that it is silence
  const float below = std::log2(std::max(from, kNothing));
  return std::exp2(below + part * (std::log2(std::max(to, kNothing)) - below));
}

}  // namespace

Spectrogram::Spectrogram(const Spec& spec)
    : spec_(checked(spec)),
      axis_(spec.scale, spec.sample_rate_hz),
      spectrum_(spec.window, spec.size),
      rows_(make_rows()),
      pending_(static_cast<std::size_t>(pictures())),
      sums_(column_floats()) {
  // The silence before the first sample.
  for (auto& samples : pending_) samples.assign(static_cast<std::size_t>((spec_.size - spec_.hop) / 2), 0.0F);
}

void Spectrogram::add(BlockView<const float> block) {
  if (finished_) throw InvalidState("a spectrogram was given audio after its end; make another one");
  if (block.channels() != spec_.channels)
    throw InvalidArgument("a block of " + std::to_string(block.channels()) +
                          " channels was given to a spectrogram of " + std::to_string(spec_.channels));
  const trace::Span span("spectrogram");
  const int most = std::max(spec_.size, 1 << 14);  // so that what waits is bounded, whatever the block
  for (int begin = 0; begin < block.frames(); begin += most) {
    const BlockView<const float> part = block.slice(begin, std::min(most, block.frames() - begin));
    take(part);
    frames_ += part.frames();
    run_frames();
  }
}

void Spectrogram::finish() {
  if (finished_) throw InvalidState("a spectrogram was ended twice; make another one");
  finished_ = true;
  const std::int64_t wanted = (frames_ + spec_.hop - 1) / spec_.hop;
  while (transformed_ < wanted) {
    for (auto& samples : pending_) samples.resize(static_cast<std::size_t>(spec_.size));
    run_frames();
  }
  if (frames_in_column_ > 0) close_column();
}

std::vector<float> Spectrogram::levels_db(int picture) const {
  if (!finished_) throw InvalidState("a spectrogram was looked at before its end; call finish() first");
  if (picture < 0 || picture >= pictures())
    throw InvalidArgument("picture " + std::to_string(picture) + " of a spectrogram was asked for; it has " +
                          std::to_string(pictures()));
  const std::size_t width = static_cast<std::size_t>(spec_.width);
  std::vector<float> levels(width * rows_.size(), kFloorDb);
  if (columns_.empty()) return levels;
  // In columns; the last of them may be less than one.
  const double length = static_cast<double>(frames_) / spec_.hop / frames_per_column_;
  const double step = length / spec_.width;
  for (std::size_t x = 0; x < width; ++x)
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const std::size_t index = static_cast<std::size_t>(picture) * rows_.size() + row;
      const double begin = static_cast<double>(x) * step;
      const double power =
          step >= 1 ? mean_between(index, begin, begin + step) : powers_at(index, begin + step / 2 - 0.5);
      levels[(rows_.size() - 1 - row) * width + x] = PowerSpectrum::to_db(power);
    }
  return levels;
}

int Spectrogram::pictures() const noexcept {
  return spec_.show == Channels::all ? spec_.channels : 1;
}

/// From the lowest up.
std::vector<Spectrogram::Row> Spectrogram::make_rows() const {
  std::vector<Row> rows;
  const double bins_per_hz = static_cast<double>(spec_.size) / spec_.sample_rate_hz;
  const int highest = spectrum_.bin_count() - 1;
  for (int row = 0; row < spec_.height; ++row) {
    const auto bin_at = [&](double place) { return axis_.hz_at(place / spec_.height) * bins_per_hz; };
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

std::size_t Spectrogram::column_floats() const noexcept {
  return static_cast<std::size_t>(pictures()) * rows_.size();
}

/// On the line between the middles of two columns.
double Spectrogram::powers_at(std::size_t index, double column) const noexcept {
  const double at = std::clamp(column, 0.0, static_cast<double>(columns_.size() - 1));
  const auto left = static_cast<std::size_t>(at);
  const std::size_t right = std::min(left + 1, columns_.size() - 1);
  return std::lerp(static_cast<double>(columns_[left][index]), static_cast<double>(columns_[right][index]),
                   at - static_cast<double>(left));
}

double Spectrogram::mean_between(std::size_t index, double begin, double end) const noexcept {
  double sum = 0;
  double weights = 0;
  const std::size_t stop = std::min(columns_.size(), static_cast<std::size_t>(std::ceil(end)));
  for (auto column = static_cast<std::size_t>(begin); column < stop; ++column) {
    const auto left = static_cast<double>(column);
    const double weight = std::min(end, left + 1) - std::max(begin, left);
    sum += weight * static_cast<double>(columns_[column][index]);
    weights += weight;
  }
  return weights > 0 ? sum / weights : powers_at(index, begin);
}

/// Appends what is shown of a block.
void Spectrogram::take(BlockView<const float> block) {
  const auto tame = [this](float sample) { return PowerSpectrum::tamed(sample, nonfinite_); };
  if (spec_.show != Channels::mix) {
    for (std::size_t picture = 0; picture < pending_.size(); ++picture) {
      const int channel = spec_.show == Channels::one ? spec_.channel : static_cast<int>(picture);
      std::ranges::transform(block.channel(channel), std::back_inserter(pending_[picture]), tame);
    }
    return;
  }
  std::vector<double> sums(static_cast<std::size_t>(block.frames()));
  for (int channel = 0; channel < block.channels(); ++channel)
    for (std::size_t n = 0; n < sums.size(); ++n)
      sums[n] += static_cast<double>(tame(block.channel(channel)[n]));
  for (const double sum : sums) pending_[0].push_back(static_cast<float>(sum / block.channels()));
}

/// Transforms every frame that is whole, and forgets what no frame needs any more.
void Spectrogram::run_frames() {
  const std::size_t size = static_cast<std::size_t>(spec_.size);
  const std::size_t hop = static_cast<std::size_t>(spec_.hop);
  std::size_t begin = 0;
  for (; begin + size <= pending_[0].size(); begin += hop) {
    if (finished_ && transformed_ * spec_.hop >= frames_) break;
    for (std::size_t picture = 0; picture < pending_.size(); ++picture)
      see(picture, spectrum_.of(std::span(pending_[picture]).subspan(begin, size), {}));
    ++transformed_;
    if (++frames_in_column_ == frames_per_column_) close_column();
  }
  for (auto& samples : pending_)
    samples.erase(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(begin));
}

void Spectrogram::see(std::size_t picture, std::span<const float> powers) {
  double* sum = sums_.data() + picture * rows_.size();
  for (const Row& row : rows_) {
    const float* const first = powers.data() + row.first;
    *sum++ += static_cast<double>(row.between ? power_between(*first, powers[row.last], *row.between)
                                              : *std::max_element(first, powers.data() + row.last + 1));
  }
}

void Spectrogram::close_column() {
  std::vector<float>& column = columns_.emplace_back(sums_.size());
  for (std::size_t i = 0; i < sums_.size(); ++i) column[i] = static_cast<float>(sums_[i] / frames_in_column_);
  std::ranges::fill(sums_, 0.0);
  frames_in_column_ = 0;
  // The last column may be of fewer frames than the others, and stays as it is.
  const bool is_full =
      columns_.size() >= static_cast<std::size_t>(kColumnsPerPixel) * static_cast<std::size_t>(spec_.width);
  if (is_full && !finished_) merge_columns();
}

void Spectrogram::merge_columns() {
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
