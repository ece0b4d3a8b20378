// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/core/triple_buffer.hpp"
#include "ringwave/dsp/frequency_bands.hpp"
#include "ringwave/dsp/power_spectrum.hpp"

namespace ringwave::dsp {

/// The spectrum of every channel, for a display beside running audio. Every `hop` frames the newest `size`
/// samples, under a Hann window, give the power P of every bin, and from it
///
///   average:  s = s + k (P - s),  k = 1 - exp(-hop / (averaging fs))
///   peak:     the greatest P, held for a while, then falling by so many dB a second
///   band:     the sum of P over the band, a bin at its edge by its part, divided by the window's 1.5 bins
///
/// 0 dB is a sine of full scale, in its bin and in its band. Between two bins a sine reads up to 1.4 dB less
/// in either, and its full level in its band, if that is at least four bins wide. Noise of a mean square m
/// has 2 m in all its bands together.
///
/// A NaN or infinite sample is taken as silence and counted. The result does not depend on how the signal is
/// cut into blocks. One thread calls process(), and one, the same or another, update() and what reads levels:
/// it always has a whole spectrum, and neither waits for the other.
class SpectrumMeter {
 public:
  static constexpr float kFloorDb = PowerSpectrum::kFloorDb;  ///< what silence reads
  static constexpr int kMostChannels = 1024;

  struct Spec {
    int channels = 2;
    int sample_rate_hz = 48000;
    int size = 4096;
    int hop = 0;  ///< 0: a quarter of the size
    std::vector<FrequencyBand> bands = third_octave_bands();
    double averaging_s = 0.3;           ///< time constant; 0: the newest frame alone
    double hold_s = 1.0;                ///< how long a peak stands
    double fall_db_per_s = 20.0 / 1.7;  ///< and how fast it falls then
  };

  /// Allocates all state. Throws InvalidArgument for a shape, a rate or a time out of range. [setup]
  explicit SpectrumMeter(const Spec& spec);

  /// Looks at a block of any number of frames; it is not changed. A block that completes a hop transforms
  /// every channel. [audio]
  RW_REALTIME Status process(BlockView<const float> block) noexcept;

  /// Forgets the past of every channel; the count stays. On the thread of process(). [audio]
  RW_REALTIME void reset() noexcept;

  /// Takes the newest spectrum, if there is one since the last call. On the reader's thread, as all below.
  /// [audio]
  RW_REALTIME bool update() noexcept;

  /// Levels in dB of a channel's bins, the averages and the peaks; empty for a channel that is not there.
  /// [audio]
  [[nodiscard]] std::span<const float> bin_levels_db(int channel) const noexcept;
  [[nodiscard]] std::span<const float> bin_peaks_db(int channel) const noexcept;
  /// The same of its bands. [audio]
  [[nodiscard]] std::span<const float> band_levels_db(int channel) const noexcept;
  [[nodiscard]] std::span<const float> band_peaks_db(int channel) const noexcept;

  /// The middle of a bin. [any]
  [[nodiscard]] double bin_hz(int bin) const noexcept;
  /// What it was made with, with the hop filled in. [any]
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// NaN and infinite samples so far. [any]
  [[nodiscard]] std::uint64_t nonfinite_samples() const noexcept { return nonfinite_.load(); }

 private:
  /// The bins of a band: the first and the last by a part, those between whole.
  struct Part {
    std::size_t first = 0;
    std::size_t count = 0;
    float first_weight = 0;
    float last_weight = 0;
  };
  /// Of one bin or band.
  struct Needle {
    double average = 0;
    float peak = 0;
    int held_hops = 0;
  };

  [[nodiscard]] Part part_of(const FrequencyBand& band) const noexcept;
  [[nodiscard]] std::size_t needles_per_channel() const noexcept;
  [[nodiscard]] std::span<const float> shown(int channel, bool peak, bool band) const noexcept;
  void analyse(int channel) noexcept;
  void follow(Needle& needle, float power) const noexcept;
  void publish() noexcept;

  Spec spec_;
  PowerSpectrum spectrum_;
  double smoothing_;
  float fall_;
  int hold_hops_;
  std::vector<Part> parts_;
  std::vector<float> history_;               // rings of `size` samples, one for each channel
  std::size_t position_ = 0;                 // where the next sample goes in each ring
  int until_hop_;                            // frames
  std::vector<Needle> needles_;              // for each channel its bins, then its bands
  TripleBuffer<std::vector<float>> powers_;  // averages of all needles, then peaks of all
  std::vector<float> levels_db_;             // the same as the reader sees it
  std::atomic<std::uint64_t> nonfinite_{0};
};

}  // namespace ringwave::dsp
