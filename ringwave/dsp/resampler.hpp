// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/dsp/resampler_filter.hpp"

namespace ringwave::dsp {

class ResamplerTwin;

/// Whole signals at another sample rate, many channels at once, by a polyphase filter:
///
///   y[m] = sum over n of h[m down - n up + middle] x[n],    up / down = to_hz / from_hz, reduced
///
/// This is scipy.signal.resample_poly: as many frames come out as it gives, ceil(frames up / down), the
/// filter's delay is taken out, and before and behind the signal there is silence. Nothing is kept from one
/// call to the next. For signals that do not fit in memory there is RateConverter, for clocks that drift
/// DriftResampler.
///
/// A NaN or an infinite sample is heard in the outputs that its filter covers, and in those up to 64 frames
/// of input further; nowhere else, because a filter without feedback forgets.
class Resampler {
 public:
  static constexpr std::string_view kName = "resampler";
  /// Coefficients of all phases together, that an op may have.
  static constexpr std::int64_t kMostCoefficients = std::int64_t{1} << 26;

  using Quality = ResamplerQuality;

  struct Spec {
    int from_hz = 48000;  ///< only the ratio of the two counts
    int to_hz = 44100;
    int channels = 1;
    int max_frames = 4096;  ///< of the input
    Quality quality = Quality::standard;
  };
  struct Request {
    Spec spec;
    int up = 1;
    int down = 1;
    std::vector<double> taps;  ///< an odd number, about the middle one
  };
  using Twin = ResamplerTwin;

  /// Designs the filter, allocates and warms up. Throws InvalidArgument for a shape out of range or a ratio
  /// whose filter would be too long, DeviceUnavailable, OutOfMemory. [setup]
  Resampler(Device device, const Spec& spec);

  /// With a filter of the caller's: an odd number of finite taps at up times the rate of the input, whose sum
  /// is best `up`. Throws InvalidArgument for other taps too. [setup]
  Resampler(Device device, const Spec& spec, std::span<const double> taps);
  ~Resampler();
  Resampler(Resampler&&) noexcept;
  Resampler& operator=(Resampler&&) noexcept;

  /// `in` into `out`, both in host memory, apart from each other. `wrong_shape`, and silence, where `out`
  /// does not have output_frames(in.frames()) frames. [audio]
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out) noexcept;

  /// The same in `queue`'s order, on this op's device, between blocks that it can reach; a wrong shape is not
  /// enqueued. [audio]
  RW_REALTIME Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept;

  /// Frames that so many frames become: ceil(frames up / down). [any]
  [[nodiscard]] int output_frames(int frames) const noexcept;
  /// The reduced ratio. [any]
  [[nodiscard]] int up() const noexcept { return up_; }
  [[nodiscard]] int down() const noexcept { return down_; }
  /// What it was made with. [any]
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  [[nodiscard]] bool fits(BlockView<const float> in, BlockView<float> out) const noexcept;

  Spec spec_;
  int up_ = 1;
  int down_ = 1;
  Device device_;
  std::unique_ptr<ResamplerTwin> twin_;
};

}  // namespace ringwave::dsp
