// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/convolver_kernels_cuda.cuh"

#include <algorithm>

#include "ringwave/dsp/convolver_math.hpp"

namespace ringwave::dsp::convolver_cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kMostRows = 65535;  // of a grid, by the hardware; kernels walk over the rest

unsigned blocks_of(long long items) {
  return static_cast<unsigned>(std::max<long long>(1, (items + kThreads - 1) / kThreads));
}

__global__ void __launch_bounds__(kThreads)
    take_kernel(BlockView<const float> in, int frames, int position, float* taken, State* state) {
  const int n = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (n >= frames - position) return;
  for (int input = static_cast<int>(blockIdx.y); input < in.channels();
       input += static_cast<int>(gridDim.y)) {
    float sample = 0;  // behind what has come in there is silence
    if (n < in.frames()) {
      sample = in.data()[input * in.stride() + n];
      if (!isfinite(sample)) {
        atomicAdd(&state->nonfinite, 1ULL);
        sample = 0;
      }
    }
    taken[input * 2LL * frames + position + n] = sample;
  }
}

/// Lane `lane` of a spectrum of N + 1 bins.
__device__ float4 lane_of(const float2* spectrum, int lane, int frames) {
  const float2 first = spectrum[2 * lane];
  const float2 second = spectrum[2 * lane + 1];
  return {first.x, lane == 0 ? spectrum[frames].x : first.y, second.x, second.y};
}

__global__ void __launch_bounds__(kThreads)
    pack_kernel(Shape shape, const float2* spectra, float4* history, const State* state) {
  const int lane = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (lane >= shape.lanes) return;
  for (int input = static_cast<int>(blockIdx.y); input < shape.inputs; input += static_cast<int>(gridDim.y))
    history[(static_cast<long long>(input) * shape.parts + state->newest) * shape.lanes + lane] =
        lane_of(spectra + static_cast<long long>(input) * (shape.frames + 1), lane, shape.frames);
}

/// sum += x h, where the first of lane 0 is two real bins.
__device__ void multiply_add(float4& sum, float4 x, float4 h, bool real_pair) {
  const float across = x.y * h.y;
  sum.x += real_pair ? x.x * h.x : x.x * h.x - across;
  sum.y += real_pair ? across : x.x * h.y + x.y * h.x;
  sum.z += x.z * h.z - x.w * h.w;
  sum.w += x.z * h.w + x.w * h.z;
}

/// A block has a row of lanes and, where that is short, several rows that take the parts in turn.
__global__ void __launch_bounds__(kThreads)
    multiply_kernel(Shape shape, int set, const float4* __restrict__ history, const Convolver::Route* routes,
                    float4* partial, const State* state) {
  extern __shared__ float4 sums[];
  const int lane = static_cast<int>(blockIdx.z * blockDim.x + threadIdx.x);
  const int path = static_cast<int>(blockIdx.x);
  const int split = static_cast<int>(blockIdx.y);
  const int first = split * shape.parts_per_split;
  const int last = min(shape.parts, first + shape.parts_per_split);
  const int newest = state->newest;
  float4 sum{};
  if (lane < shape.lanes) {
    const long long row = static_cast<long long>(shape.parts) * shape.lanes;
    const float4* const x = history + routes[path].input * row + lane;
    const float4* const h = state->responses[set] + path * row + lane;
#pragma unroll 4
    for (int part = first + static_cast<int>(threadIdx.y); part < last;
         part += static_cast<int>(blockDim.y)) {
      int place = newest - part;
      if (place < 0) place += shape.parts;
      multiply_add(sum, x[static_cast<long long>(place) * shape.lanes],
                   h[static_cast<long long>(part) * shape.lanes], lane == 0);
    }
  }
  sums[threadIdx.y * blockDim.x + threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || lane >= shape.lanes) return;
  for (unsigned row = 1; row < blockDim.y; ++row) {
    const float4 other = sums[row * blockDim.x + threadIdx.x];
    sum = {sum.x + other.x, sum.y + other.y, sum.z + other.z, sum.w + other.w};
  }
  partial[(static_cast<long long>(path) * shape.splits + split) * shape.lanes + lane] = sum;
}

__global__ void __launch_bounds__(kThreads)
    sum_kernel(Shape shape, const float4* partial, const int* route_starts, const int* routes_by_output,
               float2* spectra) {
  const int lane = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (lane >= shape.lanes) return;
  for (int output = static_cast<int>(blockIdx.y); output < shape.outputs;
       output += static_cast<int>(gridDim.y)) {
    float4 sum{};
    for (int route = route_starts[output]; route < route_starts[output + 1]; ++route) {
      const float4* const path =
          partial + static_cast<long long>(routes_by_output[route]) * shape.splits * shape.lanes + lane;
      for (int split = 0; split < shape.splits; ++split) {
        const float4 piece = path[static_cast<long long>(split) * shape.lanes];
        sum = {sum.x + piece.x, sum.y + piece.y, sum.z + piece.z, sum.w + piece.w};
      }
    }
    float2* const bins = spectra + static_cast<long long>(output) * (shape.frames + 1);
    bins[2 * lane] = {sum.x, lane == 0 ? 0.0F : sum.y};
    bins[2 * lane + 1] = {sum.z, sum.w};
    if (lane == 0) bins[shape.frames] = {sum.y, 0.0F};
  }
}

struct PlayArguments {
  const float* results[2];
  float* tails[2];
  int sets;
  Fade fade;
  int position;
};

__global__ void __launch_bounds__(kThreads)
    play_kernel(Shape shape, PlayArguments play, BlockView<float> out, State* state) {
  const int n = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  const bool full = play.position + out.frames() == shape.frames;
  for (int output = static_cast<int>(blockIdx.y); output < shape.outputs;
       output += static_cast<int>(gridDim.y)) {
    const long long result = output * 2LL * shape.frames + play.position + n;
    const long long tail = static_cast<long long>(output) * shape.frames + play.position + n;
    if (n < out.frames()) {
      float heard = play.results[0][result] + play.tails[0][tail];
      if (play.fade.on) {
        const float share =
            fade_share(play.fade.behind + static_cast<float>(play.position + n + 1), play.fade.length);
        heard += share * (play.results[1][result] + play.tails[1][tail] - heard);
      }
      out.data()[output * out.stride() + n] = heard;
    }
  }
  if (full && n == 0 && blockIdx.y == 0) state->newest = (state->newest + 1) % shape.parts;
}

/// After play_kernel has read what rang on: what rings on now.
__global__ void __launch_bounds__(kThreads) keep_kernel(Shape shape, PlayArguments play) {
  const int n = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (n >= shape.frames) return;
  for (int output = static_cast<int>(blockIdx.y); output < shape.outputs;
       output += static_cast<int>(gridDim.y))
    for (int set = 0; set < play.sets; ++set)
      play.tails[set][static_cast<long long>(output) * shape.frames + n] =
          play.results[set][output * 2LL * shape.frames + shape.frames + n];
}

__global__ void __launch_bounds__(kThreads)
    pad_kernel(const float* taps, long long count, int frames, int parts, float scale, float* padded) {
  const long long total = 2LL * frames * parts;
  const long long step = static_cast<long long>(gridDim.x) * kThreads;
  for (long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x; i < total; i += step) {
    const long long within = i % (2LL * frames);
    const long long tap = i / (2LL * frames) * frames + within;
    padded[i] = within < frames && tap < count ? scale * taps[tap] : 0.0F;
  }
}

__global__ void __launch_bounds__(kThreads)
    pack_response_kernel(const float2* spectra, int parts, int frames, float4* response) {
  const int lane = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (lane >= frames / 2) return;
  for (int part = static_cast<int>(blockIdx.y); part < parts; part += static_cast<int>(gridDim.y))
    response[static_cast<long long>(part) * (frames / 2) + lane] =
        lane_of(spectra + static_cast<long long>(part) * (frames + 1), lane, frames);
}

dim3 grid_of(int along, int rows) {
  return dim3(blocks_of(along), static_cast<unsigned>(std::min(rows, kMostRows)));
}

}  // namespace

cudaError_t take(cudaStream_t stream, const Shape& shape, BlockView<const float> in, int position,
                 float* taken, State* state) noexcept {
  take_kernel<<<grid_of(shape.frames - position, shape.inputs), kThreads, 0, stream>>>(
      in, shape.frames, position, taken, state);
  return cudaGetLastError();
}

cudaError_t pack(cudaStream_t stream, const Shape& shape, const float2* spectra, float4* history,
                 const State* state) noexcept {
  pack_kernel<<<grid_of(shape.lanes, shape.inputs), kThreads, 0, stream>>>(shape, spectra, history, state);
  return cudaGetLastError();
}

cudaError_t multiply(cudaStream_t stream, const Shape& shape, int set, const float4* history,
                     const Convolver::Route* routes, float4* partial, const State* state) noexcept {
  const int row = std::min(shape.lanes, kThreads);
  const int rows = std::max(1, std::min(kThreads / row, shape.parts_per_split));
  const dim3 block(static_cast<unsigned>(row), static_cast<unsigned>(rows));
  const dim3 grid(static_cast<unsigned>(shape.paths), static_cast<unsigned>(shape.splits),
                  static_cast<unsigned>((shape.lanes + row - 1) / row));
  const std::size_t shared = sizeof(float4) * static_cast<std::size_t>(row) * static_cast<std::size_t>(rows);
  multiply_kernel<<<grid, block, shared, stream>>>(shape, set, history, routes, partial, state);
  return cudaGetLastError();
}

cudaError_t sum(cudaStream_t stream, const Shape& shape, const float4* partial, const int* route_starts,
                const int* routes_by_output, float2* spectra) noexcept {
  sum_kernel<<<grid_of(shape.lanes, shape.outputs), kThreads, 0, stream>>>(shape, partial, route_starts,
                                                                           routes_by_output, spectra);
  return cudaGetLastError();
}

cudaError_t play(cudaStream_t stream, const Shape& shape, const float* const results[2],
                 float* const tails[2], int sets, Fade fade, int position, BlockView<float> out,
                 State* state) noexcept {
  const PlayArguments arguments{{results[0], results[1]}, {tails[0], tails[1]}, sets, fade, position};
  play_kernel<<<grid_of(out.frames(), shape.outputs), kThreads, 0, stream>>>(shape, arguments, out, state);
  if (position + out.frames() == shape.frames)
    keep_kernel<<<grid_of(shape.frames, shape.outputs), kThreads, 0, stream>>>(shape, arguments);
  return cudaGetLastError();
}

cudaError_t pad(cudaStream_t stream, const float* taps, long long count, int frames, int parts, float scale,
                float* padded) noexcept {
  const unsigned blocks = std::min(blocks_of(2LL * frames * parts), 65536U);
  pad_kernel<<<blocks, kThreads, 0, stream>>>(taps, count, frames, parts, scale, padded);
  return cudaGetLastError();
}

cudaError_t pack_response(cudaStream_t stream, const float2* spectra, int parts, int frames,
                          float4* response) noexcept {
  pack_response_kernel<<<grid_of(frames / 2, parts), kThreads, 0, stream>>>(spectra, parts, frames, response);
  return cudaGetLastError();
}

}  // namespace ringwave::dsp::convolver_cuda
