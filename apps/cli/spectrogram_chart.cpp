// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/spectrogram_chart.hpp"

#include <algorithm>
#include <cmath>

#include "apps/cli/chart_style.hpp"
#include "apps/cli/ticks.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/io/bitmap_font.hpp"

namespace ringwave::cli {
namespace {

// In points of text, which are `scale` pixels wide.
constexpr int kLeft = 44;
constexpr int kRight = 62;
constexpr int kTop = 22;
constexpr int kBottom = 22;
constexpr int kBarGap = 12;
constexpr int kBarWidth = 12;

constexpr int kLeastPlotWidth = 120;
constexpr int kLeastPictureHeight = 8;
constexpr int kManyPictures = 8;  // from there on a line between two is all there is room for

/// The text, or its beginning and dots where there is no room.
std::string shortened(const std::string& text, int characters) {
  if (static_cast<int>(text.size()) <= characters) return text;
  return characters > 3 ? text.substr(0, static_cast<std::size_t>(characters - 3)) + "..." : "";
}

}  // namespace

SpectrogramChart::SpectrogramChart(const Spec& spec)
    : spec_(spec),
      palette_(spec.palette),
      scale_(spec.width >= 1000 && spec.height >= 500 ? 2 : 1),
      gap_(spec.bare                       ? 0
           : spec.pictures > kManyPictures ? 1
                                           : 3 * scale_),
      top_(spec.above > 0 ? 2 * kTop * scale_ + spec.above : kTop * scale_),
      plot_{kLeft * scale_, top_, spec.width - (kLeft + kRight) * scale_,
            spec.height - top_ - kBottom * scale_} {
  if (spec.bare) plot_ = {0, 0, spec.width, spec.height};
  if (!(spec.floor_db < spec.ceiling_db && spec.floor_db >= -1000 && spec.ceiling_db <= 1000))
    throw InvalidArgument("a floor of " + std::to_string(spec.floor_db) + " dB and a ceiling of " +
                          std::to_string(spec.ceiling_db) +
                          " dB were given; use levels from -1000 to 1000 dB, the floor below the ceiling");
  picture_height_ = (plot_.height - (spec.pictures - 1) * gap_) / spec.pictures;
  const bool has_room = spec.bare ? picture_height_ >= 1
                                  : picture_height_ >= kLeastPictureHeight && plot_.width >= kLeastPlotWidth;
  if (has_room) {
    if (!spec.bare) plot_.height = picture_height_ * spec.pictures + (spec.pictures - 1) * gap_;
    return;
  }
  const int height =
      spec.bare ? spec.pictures
                : spec.pictures * kLeastPictureHeight + (spec.pictures - 1) * gap_ + top_ + kBottom * scale_;
  const int width = spec.bare ? 1 : kLeastPlotWidth + (kLeft + kRight) * scale_;
  throw InvalidArgument("a picture of " + std::to_string(spec.width) + " x " + std::to_string(spec.height) +
                        " pixels has no room for " + std::to_string(spec.pictures) +
                        (spec.pictures == 1 ? " spectrogram" : " spectrograms") + "; use at least " +
                        std::to_string(width) + " x " + std::to_string(height) +
                        (spec.bare ? "" : ", or --bare"));
}

io::Image SpectrogramChart::draw(const dsp::Spectrogram& spectrogram, const std::string& title) const {
  io::Image image(spec_.width, spec_.height, spec_.bare ? palette_.at(0) : kBackground);
  for (int picture = 0; picture < spec_.pictures; ++picture) paint(image, spectrogram, picture);
  if (spec_.bare) return image;
  for (int picture = 0; picture < spec_.pictures; ++picture) {
    const Area area = picture_area(picture);
    draw_frame(image, area.x, area.y, area.width, area.height);
    draw_frequencies(image, spectrogram.axis(), area);
    if (spec_.pictures > 1) draw_number(image, picture);
  }
  draw_title(image, spectrogram, title);
  draw_times(image, static_cast<double>(spectrogram.frames()) / spectrogram.spec().sample_rate_hz);
  draw_levels(image);
  return image;
}

SpectrogramChart::Area SpectrogramChart::above() const noexcept {
  return {plot_.x, kTop * scale_, plot_.width, spec_.above};
}

SpectrogramChart::Area SpectrogramChart::picture_area(int picture) const noexcept {
  return {plot_.x, plot_.y + picture * (picture_height_ + gap_), plot_.width, picture_height_};
}

/// Where text begins whose middle is there.
int SpectrogramChart::text_y(int middle) const noexcept {
  return middle - io::kCapHeight * scale_ / 2;
}

void SpectrogramChart::paint(io::Image& image, const dsp::Spectrogram& spectrogram, int picture) const {
  const Area area = picture_area(picture);
  const std::vector<float> levels = spectrogram.levels_db(picture);
  const float* level = levels.data();
  const double range_db = spec_.ceiling_db - spec_.floor_db;
  for (int y = 0; y < area.height; ++y)
    for (int x = 0; x < area.width; ++x)
      image.set(area.x + x, area.y + y,
                palette_.at((static_cast<double>(*level++) - spec_.floor_db) / range_db));
}

void SpectrogramChart::draw_text(io::Image& image, int x, int y, const std::string& text,
                                 io::Rgb colour) const {
  io::draw_text(image, x, y, text, colour, scale_);
}

void SpectrogramChart::draw_title(io::Image& image, const dsp::Spectrogram& spectrogram,
                                  const std::string& title) const {
  const dsp::Spectrogram::Spec& spec = spectrogram.spec();
  const int y = text_y(kTop * scale_ / 2);
  std::string facts = duration_text(static_cast<double>(spectrogram.frames()) / spec.sample_rate_hz) + ", " +
                      std::to_string(spec.sample_rate_hz) + " Hz, " + std::to_string(spec.channels) +
                      (spec.channels == 1 ? " channel" : " channels");
  if (spec.show == dsp::Spectrogram::Channels::one)
    facts += ", of them number " + std::to_string(spec.channel + 1);
  if (spec.show == dsp::Spectrogram::Channels::mix && spec.channels > 1) facts += " mixed";
  const int facts_width = io::text_width(facts, scale_);
  const bool has_facts = facts_width < plot_.width * 2 / 3;
  if (has_facts) draw_text(image, plot_.x + plot_.width - facts_width, y, facts, kText);
  const int room = plot_.width - (has_facts ? facts_width : 0);
  draw_text(image, plot_.x, y, shortened(title, room / (io::kCellWidth * scale_) - 2), kTitle);
}

void SpectrogramChart::draw_frequencies(io::Image& image, const dsp::FrequencyAxis& axis,
                                        const Area& area) const {
  const int text_height = io::kCapHeight * scale_;
  const double nearest = 2.8 * text_height / area.height;
  const int bottom = area.y + area.height - 1;
  for (const Tick& tick : frequency_ticks(axis, nearest)) {
    const int y = bottom - at_place(tick.position, area.height);
    // Text stays beside its own picture, so that it never meets the next one's.
    const int top = std::clamp(text_y(y), area.y, std::max(area.y, bottom + 1 - text_height));
    if (text_height > area.height) break;
    image.fill(area.x - 1 - kTick * scale_, y, kTick * scale_, 1, kLine);
    draw_text(image, area.x - (kTick + 3) * scale_ - io::text_width(tick.label, scale_), top, tick.label,
              kText);
  }
}

void SpectrogramChart::draw_times(io::Image& image, double seconds) const {
  const int bottom = plot_.y + plot_.height;
  const int most = std::max(2, plot_.width / (12 * io::kCellWidth * scale_));
  for (const Tick& tick : time_ticks(seconds, most)) {
    const int x = plot_.x + at_place(tick.position, plot_.width);
    const int width = io::text_width(tick.label, scale_);
    const int left = std::min(x - width / 2, spec_.width - width - 2);
    image.fill(x, bottom + 1, 1, kTick * scale_, kLine);
    draw_text(image, left, bottom + (kTick + 4) * scale_, tick.label, kText);
  }
}

/// And what both scales beside the plot are measured in.
void SpectrogramChart::draw_levels(io::Image& image) const {
  const Area bar{plot_.x + plot_.width + kBarGap * scale_, plot_.y, kBarWidth * scale_, plot_.height};
  for (int y = 0; y < bar.height; ++y)
    image.fill(bar.x, bar.y + y, bar.width, 1,
               palette_.at(bar.height == 1 ? 1 : 1 - static_cast<double>(y) / (bar.height - 1)));
  draw_frame(image, bar.x, bar.y, bar.width, bar.height);
  const int most = std::max(2, bar.height / (5 * io::kCapHeight * scale_));
  const int right = bar.x + bar.width;
  for (const Tick& tick : level_ticks(spec_.floor_db, spec_.ceiling_db, most)) {
    const int y = bar.y + bar.height - 1 - at_place(tick.position, bar.height);
    image.fill(right + 1, y, kTick * scale_, 1, kLine);
    draw_text(image, right + (kTick + 4) * scale_, text_y(y), tick.label, kText);
  }
  const int y = text_y(plot_.y - kTop * scale_ / 2);
  draw_text(image, bar.x, y, "dBFS", kText);
  draw_text(image, 6 * scale_, y, "Hz", kText);
}

/// The channel's number, in a corner of its picture.
void SpectrogramChart::draw_number(io::Image& image, int picture) const {
  const Area area = picture_area(picture);
  const std::string number = std::to_string(picture + 1);
  const int height = (io::kCapHeight + 4) * scale_;
  if (area.height < 2 * height) return;
  image.fill(area.x, area.y, io::text_width(number, scale_) + 4 * scale_, height, kBackground);
  draw_text(image, area.x + 2 * scale_, area.y + 2 * scale_, number, kTitle);
}

}  // namespace ringwave::cli
