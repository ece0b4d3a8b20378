// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "ringwave/dsp/stft_math.hpp"

namespace ringwave::dsp {

/// Makes transform_frames() ready for a size on the current device; false where it cannot be: for sizes other
/// than the powers of two from 64 to 8192, and for those that want more shared memory than the device has.
/// [setup]
[[nodiscard]] bool prepare_transform_frames(int size) noexcept;

/// Windows and transforms all frames of `channels` signals in one pass. `window` has half of the analysis
/// window's values, `roots` the powers of e^(-2 pi i / size). [audio]
cudaError_t transform_frames(cudaStream_t stream, const StftGrid& grid, int channels, const float* samples,
                             const float* window, const float2* roots, float2* bins) noexcept;

/// Some frames of some channels, `frames` of each of `channels` from the first ones on.
struct FramePiece {
  int first_channel = 0;
  int channels = 0;
  int first_frame = 0;
  int frames = 0;
};

/// The windowed frames of a piece, one after the other. [audio]
cudaError_t cut_out_frames(cudaStream_t stream, const StftGrid& grid, const FramePiece& piece,
                           const float* samples, const float* window, float* frames) noexcept;

/// Adds the frames of a piece up into the samples from `first_sample` to before `end_sample`, all of whose
/// frames are in the piece. [audio]
cudaError_t overlap_frames(cudaStream_t stream, const StftGrid& grid, const FramePiece& piece,
                           int first_sample, int end_sample, const float* frames, const float* window,
                           float scale, float* samples) noexcept;

}  // namespace ringwave::dsp
