// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "ringwave/core/block_view.hpp"
#include "ringwave/dsp/convolver.hpp"

/// The kernels of the CUDA convolver. A response is cut into parts of N taps, and every block of N samples
/// multiplies the spectra of all parts with those of as many past blocks: a GPU reads them faster than it
/// would keep count of longer parts.
///
/// The N + 1 bins of a part of 2 N real points are kept as N: the last one, which is real, is the imaginary
/// part of the first, which is real too. Two of them are a float4, a lane.
namespace ringwave::dsp::convolver_cuda {

/// What changes from block to block, in device memory, so that a captured graph sees it.
struct State {
  int newest;                  ///< place in the history of the block that is worked on
  const float4* responses[2];  ///< of the response that is heard, and of the next: [path][part][lane]
  unsigned long long nonfinite;
};

/// Sizes that never change.
struct Shape {
  int inputs;
  int outputs;
  int paths;
  int frames;  ///< N
  int parts;
  int lanes;            ///< N / 2
  int splits;           ///< into how many pieces the parts of a path are summed
  int parts_per_split;  ///< of each of them
};

/// Of sizes, wider than they are. [any]
[[nodiscard]] inline std::size_t product(long long a, long long b, long long c = 1) noexcept {
  return static_cast<std::size_t>(a * b * c);
}

/// How much of the next response is heard.
struct Fade {
  bool on = false;
  float behind = 0;  ///< frames of it that lie behind
  float length = 1;
};

/// `frames` samples of every input to place `position` of its zero-padded block. [audio]
cudaError_t take(cudaStream_t stream, const Shape& shape, BlockView<const float> in, int position,
                 float* taken, State* state) noexcept;
/// The spectra of the blocks into the history, as lanes. [audio]
cudaError_t pack(cudaStream_t stream, const Shape& shape, const float2* spectra, float4* history,
                 const State* state) noexcept;
/// The products of a response with the history, summed over splits. [audio]
cudaError_t multiply(cudaStream_t stream, const Shape& shape, int set, const float4* history,
                     const Convolver::Route* routes, float4* partial, const State* state) noexcept;
/// The sums of all paths and splits to each output, as spectra. [audio]
cudaError_t sum(cudaStream_t stream, const Shape& shape, const float4* partial, const int* route_starts,
                const int* routes_by_output, float2* spectra) noexcept;
/// What is heard: the block and what rings on from the one before, of one response or faded into the next.
/// When the block is full it is kept to ring on, and the history moves. [audio]
cudaError_t play(cudaStream_t stream, const Shape& shape, const float* const results[2],
                 float* const tails[2], int sets, Fade fade, int position, BlockView<float> out,
                 State* state) noexcept;
/// Parts of taps, zero-padded; `scale` times. [setup]
cudaError_t pad(cudaStream_t stream, const float* taps, long long count, int frames, int parts, float scale,
                float* padded) noexcept;
/// Spectra of parts as lanes. [setup]
cudaError_t pack_response(cudaStream_t stream, const float2* spectra, int parts, int frames,
                          float4* response) noexcept;

}  // namespace ringwave::dsp::convolver_cuda
