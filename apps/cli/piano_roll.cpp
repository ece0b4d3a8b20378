// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/piano_roll.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/cli/chart_style.hpp"
#include "ringwave/io/bitmap_font.hpp"

namespace ringwave::cli {
namespace {

constexpr io::Rgb kOctave{44, 46, 54};
constexpr std::array<io::Rgb, 8> kColours{{{122, 162, 247},
                                           {255, 199, 95},
                                           {126, 211, 133},
                                           {240, 128, 160},
                                           {214, 92, 70},
                                           {180, 142, 236},
                                           {96, 211, 216},
                                           {190, 190, 160}}};

io::Rgb colour_of(std::size_t part) {
  return kColours[part % kColours.size()];
}

}  // namespace

PianoRoll::PianoRoll(const synth::Piece& piece, std::int64_t frames, SpectrogramChart::Area area,
                     int text_scale)
    : piece_(piece), frames_(frames), area_(area), scale_(text_scale) {
  for_each_note(piece_, frames_, [this](const synth::Piece::Note& note) {
    lowest_ = std::min(lowest_, static_cast<int>(note.played.key));
    highest_ = std::max(highest_, static_cast<int>(note.played.key));
  });
  // An octave at least, so that a note is no wall.
  while (highest_ - lowest_ < 12) {
    ++highest_;
    --lowest_;
  }
}

void PianoRoll::draw(io::Image& image) const {
  draw_octaves(image);
  for_each_note(piece_, frames_, [&](const synth::Piece::Note& note) { draw_note(image, note); });
  draw_frame(image, area_.x, area_.y, area_.width, area_.height);
  draw_names(image);
}

/// The upper edge of a key.
int PianoRoll::y_of(double key) const noexcept {
  return area_.y + static_cast<int>(std::lround((highest_ - key) / (highest_ - lowest_ + 1) * area_.height));
}

void PianoRoll::draw_octaves(io::Image& image) const {
  constexpr int kOctaveKeys = 12;
  for (int key = (lowest_ + kOctaveKeys - 1) / kOctaveKeys * kOctaveKeys; key <= highest_;
       key += kOctaveKeys) {
    const int middle = (y_of(key) + y_of(key - 1)) / 2;
    std::string name("C");
    name += std::to_string(key / kOctaveKeys - 1);
    image.fill(area_.x, middle, area_.width, 1, kOctave);
    image.fill(area_.x - 1 - kTick * scale_, middle, kTick * scale_, 1, kLine);
    io::draw_text(image, area_.x - (kTick + 3) * scale_ - io::text_width(name, scale_),
                  std::clamp(middle - io::kCapHeight * scale_ / 2, area_.y,
                             area_.y + area_.height - io::kCapHeight * scale_),
                  name, kText, scale_);
  }
}

void PianoRoll::draw_note(io::Image& image, const synth::Piece::Note& note) const {
  const auto x_of = [this](std::int64_t frame) {
    return area_.x + static_cast<int>(static_cast<double>(std::clamp<std::int64_t>(frame, 0, frames_)) /
                                      static_cast<double>(frames_) * area_.width);
  };
  const int x = x_of(note.played.begin_frame);
  const int y = y_of(static_cast<double>(note.played.key));
  const int height = y_of(static_cast<double>(note.played.key) - 1) - y;
  // A gap shows where one ends and the next begins, as far as there is room.
  image.fill(x, y, std::max(1, std::min(x_of(note.played.end_frame), area_.x + area_.width) - x - 1),
             std::max(1, height - 1), colour_of(note.part));
}

void PianoRoll::draw_names(io::Image& image) const {
  int y = area_.y;
  for (const std::size_t part : playing_parts(piece_, frames_)) {
    io::draw_text(image, area_.x + area_.width + 12 * scale_, y, piece_.parts()[part], colour_of(part),
                  scale_);
    y += 2 * io::kCapHeight * scale_;
  }
}

}  // namespace ringwave::cli
