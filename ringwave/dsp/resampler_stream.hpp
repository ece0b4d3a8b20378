// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"

namespace ringwave::dsp {

/// A whole signal at another sample rate, piece by piece in bounded memory, by Resampler at its finest:
///
///   y[m] = x(m from_hz / to_hz),  band-limited to the lower of the two rates
///
/// What was at a second of the input is at that second of the output, whose length is exactly
/// round(frames to_hz / from_hz). Tones up to 0.91 of the lower Nyquist frequency keep their level within
/// 0.0001 dB, what is from it on is below -136 dB, and the rest of what was not there below -134 dB. On the
/// CPU all cores work on it; the result does not depend on how many there are, nor on how the signal is cut.
/// NaN and infinite samples are taken as silence and counted.
///
///   ResamplerStream stream({}, {.channels = 2, .from_hz = 48000, .to_hz = 44100});
///   write(stream.process(in));  // until the input has ended
///   while (!(rest = stream.finish()).empty()) write(rest);
class ResamplerStream {
 public:
  struct Spec {
    int channels = 2;
    int from_hz = 48000;
    int to_hz = 44100;
    bool is_live = false;  ///< little is held back: small pieces, on one core; the samples are the same
  };

  /// Whether the filter for such a ratio is short enough; those of all usual rates are. Of others, as 44100
  /// to 44101, RateConverter makes less. [any]
  [[nodiscard]] static bool fits(const Spec& spec) noexcept;

  /// Designs the filter and allocates. Throws InvalidArgument for a spec that RateConverter would not take or
  /// that does not fit, DeviceUnavailable, OutOfMemory. [setup]
  ResamplerStream(Device device, const Spec& spec);
  ~ResamplerStream();
  ResamplerStream(ResamplerStream&&) noexcept;
  ResamplerStream& operator=(ResamplerStream&&) noexcept;

  /// Takes the next frames, at most block_frames(), and gives what they make; valid until the next call, and
  /// often empty, because whole pieces are made. Throws InvalidArgument for another number of channels or
  /// more frames, InvalidState after finish(), DeviceLost. [setup]
  BlockView<const float> process(BlockView<const float> in);

  /// The input has ended: gives what is left, in one block or two, and then empty ones. Throws DeviceLost.
  /// [setup]
  BlockView<const float> finish();

  /// The most that process() takes at a time. [any]
  [[nodiscard]] int block_frames() const noexcept;
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept;
  /// NaN and infinite samples so far. [any]
  [[nodiscard]] std::int64_t nonfinite_samples() const noexcept;

 private:
  class Pieces;
  std::unique_ptr<Pieces> pieces_;
};

}  // namespace ringwave::dsp
