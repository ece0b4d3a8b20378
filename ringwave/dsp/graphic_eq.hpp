// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ringwave/dsp/biquad.hpp"

namespace ringwave::dsp {

/// An equaliser of bands that are evenly spaced by ear: a peak a band, each half as wide again as the
/// distance of two.
///
/// Neighbours overlap, so that the peaks' own gains are not what is asked for: they are solved for, such that
/// the whole has the asked gain at every band's centre: within 0.1 dB for every setting within 12 dB of flat.
/// Between bands of one gain that are at most an octave apart it stays within a twentieth of that gain up to
/// 12 dB, and within a fifteenth beyond; wider ones leave dips between them. A change glides.
class GraphicEq {
 public:
  static constexpr int kMostBands = 31;
  static constexpr double kMostDecibels = 24;
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
    double sample_rate_hz = 48000;
    int bands = 10;
    double lowest_hz = 31.25;   ///< centre of the first band
    double highest_hz = 16000;  ///< and of the last, below half the rate
    int smooth_frames = 480;    ///< frames that a change takes
  };

  /// Flat. Throws InvalidArgument for fewer than 2 or more than kMostBands bands, centres that do not ascend
  /// or lie beyond half the rate, bands under a twentieth of an octave apart; and what Biquad throws. [setup]
  GraphicEq(Device device, const Spec& spec);

  /// The gain at one band's centre from the next frame on. False, and nothing changed, for a band that is not
  /// there or a gain beyond kMostDecibels. Wait for enqueued work first. [audio]
  RW_REALTIME bool set_gain_db(int band, double gain_db) noexcept;

  /// The same for all bands at once. [audio]
  RW_REALTIME bool set_gains_db(std::span<const double> gains_db) noexcept;

  /// What the band was asked to be. [any]
  [[nodiscard]] double gain_db(int band) const noexcept { return asked_[static_cast<std::size_t>(band)]; }

  /// Where the band is. [any]
  [[nodiscard]] double center_hz(int band) const noexcept { return centers_[static_cast<std::size_t>(band)]; }

  /// The gain of the whole at a frequency, once a change has ended. [any]
  [[nodiscard]] double response_db(double hz) const noexcept;

  /// As Biquad's. [audio]
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out) noexcept {
    return filter_.process(in, out);
  }
  RW_REALTIME Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept {
    return filter_.enqueue(queue, in, out);
  }
  RW_REALTIME void reset() noexcept { filter_.reset(); }
  RW_REALTIME Status enqueue_reset(Queue& queue) noexcept { return filter_.enqueue_reset(queue); }

  /// As Biquad's. [setup]
  [[nodiscard]] std::uint64_t nonfinite_samples() const { return filter_.nonfinite_samples(); }

  /// As Biquad's. [any]
  [[nodiscard]] Device device() const noexcept { return filter_.device(); }
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

 private:
  using Gains = std::array<double, kMostBands>;

  [[nodiscard]] std::size_t bands() const noexcept { return centers_.size(); }
  [[nodiscard]] double level_db(std::size_t band, const Gains& gains) const noexcept;
  void solve() noexcept;

  double sample_rate_hz_;
  double spacing_;               // of the bands, octaves
  std::vector<double> centers_;  // Hz
  std::vector<double> qs_;
  std::vector<double> distances_;  // [band][peak]: how far the peak is, as in level_db()
  std::vector<double> inverse_;    // [peak][band]: the gains that raise one band by 1 dB and no other
  Gains asked_{};
  std::vector<Section> sections_;
  Biquad filter_;
};

}  // namespace ringwave::dsp
