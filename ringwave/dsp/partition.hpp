// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace ringwave::dsp {

/// A stretch of an impulse response that is cut into equal parts: `count` parts of `frames` taps, from tap
/// `offset` on.
struct PartitionLevel {
  int frames = 0;
  int offset = 0;
  int count = 0;
  /// Into how many small transforms one of 2 * frames points is taken apart, so that its work can be spread.
  int radix = 1;
};

/// How a response of `taps` taps is cut for blocks of `block_frames`: small parts first, because they are due
/// at once, then parts eight times as long, and again. A part of N taps is worked on while the next N samples
/// come in, so that it is due 2 N after its first sample: a level starts at twice its own length.
///
/// `block_frames` is a length that Fft likes. [setup]
[[nodiscard]] std::vector<PartitionLevel> partition(int block_frames, int taps);

}  // namespace ringwave::dsp
