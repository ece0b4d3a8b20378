// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/cli/spectrogram_chart.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/dsp/spectrogram.hpp"
#include "ringwave/io/image.hpp"
#include "ringwave/synth/piece.hpp"

namespace ringwave::cli {

/// What a piece plays above how that sounds: its notes and its spectrogram, on one axis of time.
class ScoreChart {
 public:
  static constexpr int kWidth = 1280;
  static constexpr int kHeight = 960;

  /// [setup]
  explicit ScoreChart(int sample_rate_hz);

  /// Looks at the next frames, of two channels. [setup]
  void add(BlockView<const float> block) { spectrogram_.add(block); }

  /// Once, when all frames were added. [setup]
  [[nodiscard]] io::Image draw(const synth::Piece& piece, const std::string& title);

 private:
  SpectrogramChart chart_;
  dsp::Spectrogram spectrogram_;
};

}  // namespace ringwave::cli
