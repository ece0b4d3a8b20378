// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ringwave/dsp/frequency_axis.hpp"
#include "ringwave/dsp/power_spectrum.hpp"
#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {

/// A spectrogram's rows by transforms of one length.
///
/// Frames are gathered in columns, and whenever there are four times more of them than pixels, each two
/// become one: the memory is bounded, however long the signal is.
class SpectrogramLayer {
 public:
  struct Spec {
    Window window{};
    int size = 2048;
    int points = 2048;  ///< of the transform: more than `size` are zeros, for bins that lie closer
    int hop = 512;
    int pictures = 1;
    int width = 1024;
    int height = 512;  ///< of the whole picture
    int rows = 512;    ///< that this layer has, from the lowest on
  };

  /// Plans and allocates. Throws InvalidArgument for a size out of range. [setup]
  SpectrogramLayer(const Spec& spec, const FrequencyAxis& axis);

  /// Takes the next samples of every picture, as many of each. [setup]
  void add(std::span<const std::vector<float>> pictures);

  /// Ends the signal, of which there were `frames` samples. [setup]
  void finish(std::int64_t frames);

  /// The mean power in a pixel, of a row counted from the lowest; 0 for a signal without samples. After
  /// finish(). [setup]
  [[nodiscard]] double power(int picture, int row, int x) const noexcept;

  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }

 private:
  /// The bins of a row: the strongest from `first` to `last`, or, where `between` is set, `between` of the
  /// way from the first to the last.
  struct Row {
    std::size_t first = 0;
    std::size_t last = 0;
    std::optional<float> between = {};
  };

  [[nodiscard]] std::vector<Row> make_rows(const FrequencyAxis& axis) const;
  [[nodiscard]] double power_at(std::size_t index, double column) const noexcept;
  [[nodiscard]] double mean_between(std::size_t index, double begin, double end) const noexcept;
  void run_frames(std::optional<std::int64_t> end);
  void see(std::size_t picture, std::span<const float> powers);
  void close_column(bool is_last);
  void merge_columns();

  Spec spec_;
  PowerSpectrum spectrum_;
  std::vector<Row> rows_;
  std::vector<std::vector<float>> pending_;  // of each picture, what frames to come begin with
  std::vector<double> sums_;                 // the column in work: for each picture its rows
  int frames_in_column_ = 0;                 // how many were added to it
  int frames_per_column_ = 1;
  std::vector<std::vector<float>> columns_;  // mean powers; all but the last of frames_per_column_ frames
  std::int64_t transformed_ = 0;
  double columns_per_pixel_ = 0;
};

}  // namespace ringwave::dsp
