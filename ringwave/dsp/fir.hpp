// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/block_front.hpp"
#include "ringwave/backend/workload.hpp"

namespace ringwave::dsp {

/// A filter without feedback:  y[n] = h[0] x[n] + h[1] x[n-1] + … + h[taps-1] x[n-taps+1],  computed as it
/// stands, over many channels at once. Work grows with the number of taps; long ones belong to a convolver.
///
/// Sums are float, in runs of 32 taps. A NaN stays in its channel, is counted, and is gone after as many
/// frames as there are taps. The result does not depend on how the signal is cut into blocks: on the CPU to
/// the last bit, on a GPU to the rounding of the sums.
class Fir : public backend::BlockFront {
 public:
  static constexpr std::string_view kName = "fir";
  static constexpr std::size_t kMostTaps = 8192;
  struct Spec {
    int channels = 1;
    int max_block_frames = 4096;
  };
  struct Request {
    Spec spec;
    std::vector<float> taps;
  };
  using Twin = backend::BlockOp;

  /// Allocates all state and warms the device up. Throws InvalidArgument for a shape out of range, for no
  /// taps or more than kMostTaps and for one that is not finite; DeviceUnavailable; OutOfMemory. [setup]
  Fir(Device device, const Spec& spec, std::span<const float> taps);

  /// Frames by which the output lags the input: always 0; what the taps themselves delay is theirs. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it: 128 taps. [setup]
  [[nodiscard]] static backend::OpInfo info();
};

}  // namespace ringwave::dsp
