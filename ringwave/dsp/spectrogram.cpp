// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectrogram.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kLonger = 4;  // times a layer's frames than those of the layer before it
constexpr int kMostLayers = 3;
constexpr double kLeastBins = 28;  // of its own, that a layer's rows have below them: two semitones are 3.4
constexpr int kPadding = 2;        // points for each sample, where rows are finer than bins

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

/// How far up an octave about the place where the layer hands over to the shorter one before it.
double way_to_shorter(const SpectrogramLayer& shorter, double hz, double rate_hz) {
  const double place = kLeastBins * rate_hz / shorter.spec().size;
  return std::clamp(std::log2(std::max(hz, 1e-3) / place) + 0.5, 0.0, 1.0);
}

}  // namespace

Spectrogram::Spectrogram(const Spec& spec)
    : spec_(checked(spec)),
      axis_(spec.scale, spec.sample_rate_hz),
      taken_(static_cast<std::size_t>(pictures())) {
  add_layers();
}

/// Each has the rows that it is shown in, and those below, where longer frames may not fit the signal.
void Spectrogram::add_layers() {
  const bool is_linear = spec_.scale == FrequencyAxis::Scale::linear;
  int rows = spec_.height;
  for (std::int64_t times = 1; rows > 0 && layers_.size() < kMostLayers; times *= kLonger) {
    const std::int64_t size = times * spec_.size;
    if (times > 1 && (is_linear || size > PowerSpectrum::kMostSize)) return;
    const auto points = is_linear ? size : std::min<std::int64_t>(kPadding * size, PowerSpectrum::kMostSize);
    layers_.emplace_back(SpectrogramLayer::Spec{.window = spec_.window,
                                                .size = static_cast<int>(size),
                                                .points = static_cast<int>(points),
                                                .hop = static_cast<int>(times * spec_.hop),
                                                .pictures = pictures(),
                                                .width = spec_.width,
                                                .height = spec_.height,
                                                .rows = rows},
                         axis_);
    const double hand_over_hz = kLeastBins * spec_.sample_rate_hz / static_cast<double>(size);
    const double top = axis_.position_of(hand_over_hz * std::numbers::sqrt2) * spec_.height;
    rows = static_cast<int>(std::clamp(std::ceil(top), 0.0, static_cast<double>(rows)));
  }
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
    for (SpectrogramLayer& layer : layers_) layer.add(taken_);
  }
}

void Spectrogram::finish() {
  if (finished_) throw InvalidState("a spectrogram was ended twice; make another one");
  finished_ = true;
  for (SpectrogramLayer& layer : layers_) layer.finish(frames_);
}

std::vector<float> Spectrogram::levels_db(int picture) const {
  if (!finished_) throw InvalidState("a spectrogram was looked at before its end; call finish() first");
  if (picture < 0 || picture >= pictures())
    throw InvalidArgument("picture " + std::to_string(picture) + " of a spectrogram was asked for; it has " +
                          std::to_string(pictures()));
  const auto layers = usable_layers();
  const auto width = static_cast<std::size_t>(spec_.width);
  const auto height = static_cast<std::size_t>(spec_.height);
  std::vector<float> levels(width * height, kFloorDb);
  for (int row = 0; row < spec_.height; ++row) {
    const double hz = axis_.hz_at((row + 0.5) / spec_.height);
    float* const line = levels.data() + (height - 1 - static_cast<std::size_t>(row)) * width;
    for (std::size_t i = layers.size(); i-- > 0;) {
      if (row >= layers[i]->spec().rows) continue;
      const auto longer = i + 1 == layers.size()
                              ? 0.0F
                              : 1 - static_cast<float>(way_to_shorter(*layers[i], hz, spec_.sample_rate_hz));
      if (longer == 1) continue;
      for (int x = 0; x < spec_.width; ++x) {
        const float level = PowerSpectrum::to_db(layers[i]->power(picture, row, x));
        line[x] = longer == 0 ? level : level + longer * (line[x] - level);
      }
    }
  }
  return levels;
}

int Spectrogram::pictures() const noexcept {
  return spec_.show == Channels::all ? spec_.channels : 1;
}

/// Those whose frames are no longer than the signal; the first is always there.
std::vector<const SpectrogramLayer*> Spectrogram::usable_layers() const {
  std::vector<const SpectrogramLayer*> usable;
  for (const SpectrogramLayer& layer : layers_)
    if (usable.empty() || layer.spec().size <= frames_) usable.push_back(&layer);
  return usable;
}

/// Takes over what is shown of a block.
void Spectrogram::take(BlockView<const float> block) {
  const auto tame = [this](float sample) { return PowerSpectrum::tamed(sample, nonfinite_); };
  if (spec_.show != Channels::mix) {
    for (std::size_t picture = 0; picture < taken_.size(); ++picture) {
      const int channel = spec_.show == Channels::one ? spec_.channel : static_cast<int>(picture);
      taken_[picture].clear();
      std::ranges::transform(block.channel(channel), std::back_inserter(taken_[picture]), tame);
    }
    return;
  }
  mixed_.assign(static_cast<std::size_t>(block.frames()), 0.0);
  for (int channel = 0; channel < block.channels(); ++channel)
    for (std::size_t n = 0; n < mixed_.size(); ++n)
      mixed_[n] += static_cast<double>(tame(block.channel(channel)[n]));
  taken_[0].clear();
  for (const double sum : mixed_) taken_[0].push_back(static_cast<float>(sum / block.channels()));
}

}  // namespace ringwave::dsp
