// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/score_chart.hpp"

#include "apps/cli/piano_roll.hpp"

namespace ringwave::cli {
namespace {

constexpr int kRollHeight = 360;

}  // namespace

ScoreChart::ScoreChart(int sample_rate_hz)
    : chart_({.width = kWidth, .height = kHeight, .above = kRollHeight}),
      spectrogram_({.channels = 2,
                    .sample_rate_hz = sample_rate_hz,
                    .width = chart_.picture_width(),
                    .height = chart_.picture_height(),
                    .scale = dsp::FrequencyAxis::Scale::log}) {}

io::Image ScoreChart::draw(const synth::Piece& piece, const std::string& title) {
  spectrogram_.finish();
  io::Image image = chart_.draw(spectrogram_, title);
  PianoRoll(piece, spectrogram_.frames(), chart_.above(), chart_.text_scale()).draw(image);
  return image;
}

}  // namespace ringwave::cli
