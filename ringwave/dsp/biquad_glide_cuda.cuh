// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "ringwave/core/block_view.hpp"
#include "ringwave/dsp/biquad_math.hpp"

/// The cascade with sections that change from sample to sample, for the CUDA twin of Biquad.
///
/// A warp has a channel and a lane a section: while lane i filters sample n, lane i + 1 filters what lane i
/// made of sample n - 1. A block takes as many steps as it has frames and sections, each as long as one
/// section's recurrence.
namespace ringwave::dsp::glide {

inline constexpr int kGroup = 4;      // sections whose states lie together
inline constexpr int kSections = 32;  // that one launch takes: the lanes of a warp

/// Up to kSections sections of the cascade and their way. It travels as a kernel argument.
struct Stretch {
  Stretch(std::span<const Section> begin, std::span<const Section> end, int first_section, int frames_done,
          int frames_in_all)
      : first(first_section),
        count(std::min(kSections, static_cast<int>(end.size()) - first_section)),
        total(static_cast<int>(end.size())),
        done(frames_done),
        frames(frames_in_all) {
    for (int i = 0; i < count; ++i) {
      from[i] = begin[static_cast<std::size_t>(first + i)];
      to[i] = end[static_cast<std::size_t>(first + i)];
    }
  }

  /// Where section `lane` of a channel has its states, in doubles, in [group][channel][section][s1, s2].
  [[nodiscard]] __device__ std::ptrdiff_t place(int lane, int channel, int channels) const {
    const int section = first + lane;
    const int group = section / kGroup;
    const int size = min(kGroup, total - kGroup * group);
    return 2 * (static_cast<std::ptrdiff_t>(kGroup) * group * channels +
                static_cast<std::ptrdiff_t>(channel) * size + section % kGroup);
  }

  Section from[kSections];
  Section to[kSections];
  int first, count, total, done, frames;
};

/// Filters `in` into `out`, which may be the same memory. [audio]
cudaError_t launch(cudaStream_t stream, const Stretch& stretch, BlockView<const float> in,
                   BlockView<float> out, double* states, unsigned long long* nonfinite) noexcept;

}  // namespace ringwave::dsp::glide
