// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "ringwave/core/block_view.hpp"

namespace ringwave::dsp {

/// A whole signal at another sample rate, any rate to any other, piece by piece in bounded memory:
///
///   y[m] = x(m from_hz / to_hz),  band-limited to the lower of the two rates
///
/// The filter's delay is taken out: what was at a second of the input is at that second of the output, whose
/// length is exactly round(frames to_hz / from_hz). NaN and infinite samples are taken as silence and
/// counted. libsoxr does it, on one core; ResamplerStream is our own.
///
///   RateConverter converter({.channels = 2, .from_hz = 48000, .to_hz = 44100});
///   const auto [taken, made] = converter.process(in, out);  // until the input has ended
///   while (const int made = converter.finish(out)) …        // what is left
class RateConverter {
 public:
  static constexpr int kLeastRateHz = 1;
  static constexpr int kMostRateHz = 768000;
  static constexpr int kMostRatio = 1000;  ///< of the two rates; libsoxr has no answer from some 10,000 on
  static constexpr int kMostChannels = 1024;

  /// What is kept of the band below the lower of the two Nyquist frequencies, and what of the rest stays.
  enum class Quality : unsigned char {
    quick,      ///< cubic interpolation; aliases
    medium,     ///< about 0.79 of it within 0.35 dB, 16 bits: aliases below -95 dB
    high,       ///< 0.91 of it, 20 bits: aliases below -120 dB
    very_high,  ///< 0.91 of it, computed in double, 28 bits: below what float can hold
  };

  struct Spec {
    int channels = 2;
    int from_hz = 48000;
    int to_hz = 44100;
    Quality quality = Quality::high;
  };

  /// Frames that were taken from the input, and frames that were written to the output.
  struct Progress {
    int taken = 0;
    int made = 0;
  };

  /// Throws InvalidArgument for a number of channels, a rate or a ratio out of range. [setup]
  static void require_valid(const Spec& spec);

  /// Throws as require_valid(), and OutOfMemory. [setup]
  explicit RateConverter(const Spec& spec);
  ~RateConverter();
  RateConverter(RateConverter&&) noexcept;
  RateConverter& operator=(RateConverter&&) noexcept;

  /// Takes as much of `in` and writes as much of `out` as it can; call it again with the rest. Where both
  /// blocks have frames, one of the two numbers is more than 0. Throws InvalidArgument for another number of
  /// channels, InvalidState after finish(), OutOfMemory. [setup]
  Progress process(BlockView<const float> in, BlockView<float> out);

  /// The input has ended: writes what is left, as much as fits; how many frames, 0 when all was written.
  /// Throws as process(). [setup]
  int finish(BlockView<float> out);

  /// NaN and infinite samples so far. [any]
  [[nodiscard]] std::int64_t nonfinite_samples() const noexcept;

  /// Frames that so many frames become: round(frames to_hz / from_hz), halves up. [any]
  [[nodiscard]] static std::int64_t output_frames(std::int64_t frames, int from_hz, int to_hz) noexcept;

 private:
  class Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace ringwave::dsp
