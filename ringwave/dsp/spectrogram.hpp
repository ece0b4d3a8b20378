// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/dsp/frequency_axis.hpp"
#include "ringwave/dsp/power_spectrum.hpp"
#include "ringwave/dsp/spectrogram_layer.hpp"
#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {

/// A signal's spectrum over time, as a picture: time to the right, frequency upwards, a level in every pixel.
///
///   pixel(row, column) = 10 log10 of the row's mean power over the frames in the column's time
///
/// Frame f has `size` samples under the window, centred in the `hop` samples from f hop on; before the first
/// and after the last sample is silence. A row shows the strongest of its bins, or, where it lies between two
/// bins, the line between their levels. 0 dB is a sine of full scale, see PowerSpectrum.
///
/// On a log or a mel axis rows are narrow where frequencies are low, and longer frames take over: `size`
/// serves down to 28 of its bins, 656 Hz by default, four times as many samples down to a quarter of that,
/// sixteen times as many below. Over the octave about each of these places the level, in dB, walks in a
/// straight line from the one to the other. So two low tones that are two semitones apart are two lines, and
/// what is high is as sharp in time as by `size` alone. There transforms have two points for each sample: a
/// sine between two bins is shown at most 0.4 dB too low under Hann's window. Frames that are longer than
/// the whole signal do not count. A linear axis has frames of `size` alone.
///
/// The length need not be known: frames are gathered in columns, and whenever there are four times more of
/// them than pixels, each two become one. So the memory is bounded, and a pipe gives the same picture as a
/// file. In the end a pixel is the mean of two to four columns, those at its edges by their part: what lies
/// there may show half a pixel beside its place. Where there are fewer frames than pixels, these lie on the
/// line between two frames.
///
/// NaN and infinite samples are taken as silence and counted.
class Spectrogram {
 public:
  static constexpr float kFloorDb = PowerSpectrum::kFloorDb;  ///< what silence shows
  static constexpr std::int64_t kMostPixels = 1 << 25;
  static constexpr int kMostChannels = 1024;

  enum class Channels : unsigned char {
    mix,  ///< one picture, of their mean
    all,  ///< a picture for each
    one,  ///< one picture, of Spec::channel
  };

  struct Spec {
    int channels = 2;
    int sample_rate_hz = 48000;
    int width = 1024;
    int height = 512;  ///< of each picture
    int size = 2048;
    int hop = 512;
    Window window{};
    FrequencyAxis::Scale scale = FrequencyAxis::Scale::linear;
    Channels show = Channels::mix;
    int channel = 0;  ///< for Channels::one
  };

  /// Plans and allocates. Throws InvalidArgument for a shape, a size or a hop out of range. [setup]
  explicit Spectrogram(const Spec& spec);

  /// Looks at the next frames of the signal. Throws InvalidArgument for another number of channels, and
  /// InvalidState after finish(). [setup]
  void add(BlockView<const float> block);

  /// Ends the signal. Nothing is to be seen before. Throws InvalidState where it was ended. [setup]
  void finish();

  /// The levels of a picture in dB, row after row from the top, which has the highest frequencies; all at
  /// kFloorDb for a signal without frames. Throws InvalidState before finish(), InvalidArgument for a picture
  /// that is not there. [setup]
  [[nodiscard]] std::vector<float> levels_db(int picture = 0) const;

  /// How many pictures there are. [any]
  [[nodiscard]] int pictures() const noexcept;
  /// What a picture's rows are. [any]
  [[nodiscard]] const FrequencyAxis& axis() const noexcept { return axis_; }
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// Frames of audio so far. [any]
  [[nodiscard]] std::int64_t frames() const noexcept { return frames_; }
  /// NaN and infinite samples so far, of the channels that are shown. [any]
  [[nodiscard]] std::uint64_t nonfinite_samples() const noexcept { return nonfinite_; }

 private:
  void add_layers();
  [[nodiscard]] std::vector<const SpectrogramLayer*> usable_layers() const;
  void take(BlockView<const float> block);

  Spec spec_;
  FrequencyAxis axis_;
  std::vector<SpectrogramLayer> layers_;   // from the shortest frames to the longest
  std::vector<std::vector<float>> taken_;  // of each picture, the newest samples
  std::vector<double> mixed_;
  std::int64_t frames_ = 0;
  std::uint64_t nonfinite_ = 0;
  bool finished_ = false;
};

}  // namespace ringwave::dsp
