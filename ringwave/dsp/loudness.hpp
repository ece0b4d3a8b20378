// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "ringwave/core/block_view.hpp"

namespace ringwave::dsp {

/// The loudness of a programme by EBU R 128: ITU-R BS.1770 with the gates of EBU Tech 3341 and the range of
/// Tech 3342.
///
/// Channels are left, right, centre, LFE, left and right surround; five are the same without the LFE, four
/// without centre and LFE. The LFE and all after the sixth do not count. NaN and infinite samples are taken
/// as silence and counted. Memory grows by about 2 MB for an hour of programme.
class Loudness {
 public:
  static constexpr int kMostChannels = 64;
  static constexpr double kMomentarySeconds =
      0.4;  ///< the window below which there is no integrated loudness
  static constexpr double kShortTermSeconds = 3;
  struct Spec {
    int channels = 2;
    int sample_rate_hz = 48000;
  };

  /// Throws InvalidArgument for a number of channels or a rate that cannot be measured, OutOfMemory. [setup]
  explicit Loudness(const Spec& spec);
  ~Loudness();
  Loudness(Loudness&&) noexcept;
  Loudness& operator=(Loudness&&) noexcept;

  /// Adds a block of any number of frames. Throws InvalidArgument for another number of channels,
  /// OutOfMemory. [setup]
  void add(BlockView<const float> block);

  /// Of everything so far, gated, in LUFS; minus infinity where nothing was above -70 LUFS. [setup]
  [[nodiscard]] double integrated_lufs() const;

  /// Of the last 0.4 s and the last 3 s, in LUFS; silence before the first frame counts. [setup]
  [[nodiscard]] double momentary_lufs() const;
  [[nodiscard]] double short_term_lufs() const;

  /// The highest of those so far, looked at every 10 ms, only whole windows. [setup]
  [[nodiscard]] double max_momentary_lufs() const;
  [[nodiscard]] double max_short_term_lufs() const;

  /// Loudness range in LU. [setup]
  [[nodiscard]] double range_lu() const;

  /// The highest sample of all channels so far, in dBFS, and what a converter would reach between samples, in
  /// dBTP (oversampled to at least 192 kHz); minus infinity for silence. [setup]
  [[nodiscard]] double sample_peak_dbfs() const;
  [[nodiscard]] double true_peak_dbtp() const;

  /// Frames, and NaN and infinite samples, so far. [any]
  [[nodiscard]] std::int64_t frames() const noexcept;
  [[nodiscard]] double seconds(int sample_rate_hz) const noexcept {
    return static_cast<double>(frames()) / sample_rate_hz;
  }
  [[nodiscard]] std::int64_t nonfinite_samples() const noexcept;

 private:
  class Measurement;
  std::unique_ptr<Measurement> measurement_;
};

}  // namespace ringwave::dsp
