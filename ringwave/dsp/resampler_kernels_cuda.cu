// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/resampler_kernels_cuda.cuh"

#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "ringwave/core/cuda/check.cuh"

namespace ringwave::dsp {
namespace {

constexpr int kThreads = 256;
constexpr int kChannels = 4;       // that a thread of the plain kernel has
constexpr int kMostRows = 65535;   // of a grid, by the hardware; the kernels walk over the rest
constexpr int kStages = 3;         // tiles of input in shared memory: one in use, two on their way
constexpr int kTileFrames = 3200;  // about, of input or output
constexpr int kMostSharedBytes = 96 * 1024;

/// Every output by the formula, for any ratio and any filter. Neighbouring threads have neighbouring outputs,
/// and by the order of the columns neighbouring coefficients; a coefficient serves four channels.
__global__ void __launch_bounds__(kThreads)
    plain_kernel(ResamplerJob job, const float* __restrict__ columns, int up, int down, long long middle,
                 int taps, int longest_run) {
  const long long j = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (j >= job.out_count) return;
  const long long m = job.out_first + j;
  const long long first = (m * down + middle) / up - taps + 1 - job.in_first;
  const float* const column = columns + m % up;
  const int begin = static_cast<int>(max(0LL, min(-first, static_cast<long long>(taps))));
  const int end = static_cast<int>(min(static_cast<long long>(taps), job.in_count - first));
  for (int channel = static_cast<int>(blockIdx.y) * kChannels; channel < job.channels;
       channel += static_cast<int>(gridDim.y) * kChannels) {
    const float* x[kChannels];
    double total[kChannels] = {};
#pragma unroll
    for (int c = 0; c < kChannels; ++c)
      x[c] = job.in + min(channel + c, job.channels - 1) * static_cast<long long>(job.in_stride) + first;
    for (int i0 = begin; i0 < end; i0 += longest_run) {
      float run[kChannels] = {};
      const int i1 = min(i0 + longest_run, end);
      for (int i = i0; i < i1; ++i) {
        const float tap = column[static_cast<long long>(i) * up];
#pragma unroll
        for (int c = 0; c < kChannels; ++c) run[c] = fmaf(tap, x[c][i], run[c]);
      }
#pragma unroll
      for (int c = 0; c < kChannels; ++c) total[c] += static_cast<double>(run[c]);
    }
#pragma unroll
    for (int c = 0; c < kChannels; ++c)
      if (channel + c < job.channels)
        job.out[(channel + c) * static_cast<long long>(job.out_stride) + j] = static_cast<float>(total[c]);
  }
}

/// Starts the copy of inputs `first` to `first + floats` of a row of `count`, with silence around it. `first`
/// and `floats` are multiples of 4.
__device__ void stage_inputs(float* to, const float* row, long long first, long long count, int floats) {
  const int self = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  if (reinterpret_cast<std::uintptr_t>(row) % 16 == 0) {
    for (int i = 4 * self; i < floats; i += 4 * threads) {
      const long long n = first + i;
      if (n >= 0 && n + 4 <= count) {
        __pipeline_memcpy_async(to + i, row + n, 16);
        continue;
      }
      for (int j = 0; j < 4; ++j) to[i + j] = n + j >= 0 && n + j < count ? row[n + j] : 0.0F;
    }
    return;
  }
  for (int i = self; i < floats; i += threads) {
    const long long n = first + i;
    const bool there = n >= 0 && n < count;
    __pipeline_memcpy_async(to + i, there ? row + n : row, 4, there ? 0 : 4);
  }
}

/// `count` outputs from shared memory, side by side.
__device__ void write_outputs(float* to, const float* from, int count) {
  const int self = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  int done = 0;
  if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
    done = count / 4 * 4;
    for (int i = 4 * self; i < done; i += 4 * threads)
      __stcs(reinterpret_cast<float4*>(to + i), *reinterpret_cast<const float4*>(from + i));
  }
  for (int i = done + self; i < count; i += threads) __stcs(to + i, from[i]);
}

/// The phases repeat, so a thread keeps the coefficients of kOutputs neighbouring outputs in registers and
/// walks from period to period; the block walks from tile to tile while the inputs of the next two are on
/// their way.
///
/// 48 to 44.1 kHz has 22 coefficients for an output: ten minutes of 64 channels are 1.69e9 outputs and 37e9
/// multiply-adds, 1.2 ms of an H200's arithmetic; 14.1 GB of memory, 3.4 ms at the 4.1 TB/s that a copy
/// reaches; and, if each were read by itself, 37e9 words of shared memory, 5.2 ms. So three outputs share
/// what is read, in vectors of four: their windows, drawn to the same 28 places and filled with zeros, take
/// seven reads of 16 bytes for three outputs. That is 9.3 turns of the shared memory for a warp of outputs
/// instead of 22, and with the tile's way in and out 13.5 turns: 3.1 ms, less than the memory takes.
/// Seen: 5.13 ms.
///
/// Neighbouring lanes' windows lie 3 down / up = 3.3 places apart: eight lanes, which the hardware serves at
/// once, reach over fewer than 32 banks. Each lane's three outputs lie three places apart, an odd number: no
/// two lanes meet in a bank.
template <int kOutputs, int kWindow>
__global__ void __launch_bounds__(kThreads, kOutputs* kWindow <= 84 ? 2 : 1)
    period_kernel(ResamplerJob job, ResamplerPeriod period, std::int64_t row_tiles,
                  const float* __restrict__ windows, const int* __restrict__ offsets) {
  extern __shared__ float4 shared[];
  float* const stages = reinterpret_cast<float*>(shared);
  float* const made = stages + kStages * period.stage_floats;
  const int group = static_cast<int>(threadIdx.x) % period.groups;
  const int lane = static_cast<int>(threadIdx.x) / period.groups;
  const bool works = lane < period.lanes;
  const int from = offsets[group] + lane * period.inputs;
  const int to = lane * period.outputs + group * kOutputs;
  float taps[kOutputs][kWindow];
#pragma unroll
  for (int r = 0; r < kOutputs; ++r)
#pragma unroll
    for (int i = 0; i < kWindow; ++i) taps[r][i] = windows[(r * kWindow + i) * period.groups + group];

  const long long tiles = row_tiles * job.channels;
  const long long base = job.out_first / period.outputs * period.inputs + period.lead - job.in_first;
  const auto stage = [&](long long tile, int slot) {
    if (tile < tiles) {
      const long long channel = tile / row_tiles;
      stage_inputs(stages + slot * period.stage_floats, job.in + channel * job.in_stride,
                   base + (tile - channel * row_tiles) * period.tile_inputs(), job.in_count,
                   period.stage_floats);
    }
    __pipeline_commit();  // also where there was nothing, so that the count is the same for every tile
  };

  for (int slot = 0; slot < kStages - 1; ++slot)
    stage(blockIdx.x + static_cast<long long>(slot) * gridDim.x, slot);
  int slot = 0;
  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();  // all copies of this tile are here, and nobody reads the last one any more
    stage(tile + static_cast<long long>(kStages - 1) * gridDim.x, slot == 0 ? kStages - 1 : slot - 1);
    if (works) {
      const float* x = stages + slot * period.stage_floats + from;
      float* y = made + to;
      for (int step = 0; step < period.steps; ++step) {
        float sum[kOutputs] = {};
#pragma unroll
        for (int i = 0; i < kWindow; i += 4) {
          const float4 four = *reinterpret_cast<const float4*>(x + i);
#pragma unroll
          for (int r = 0; r < kOutputs; ++r) {
            sum[r] = fmaf(taps[r][i], four.x, sum[r]);
            sum[r] = fmaf(taps[r][i + 1], four.y, sum[r]);
            sum[r] = fmaf(taps[r][i + 2], four.z, sum[r]);
            sum[r] = fmaf(taps[r][i + 3], four.w, sum[r]);
          }
        }
#pragma unroll
        for (int r = 0; r < kOutputs; ++r)
          if (group * kOutputs + r < period.outputs) y[r] = sum[r];
        x += period.lanes * period.inputs;
        y += period.lanes * period.outputs;
      }
    }
    __syncthreads();
    const long long channel = tile / row_tiles;
    const long long first = (tile - channel * row_tiles) * period.tile_outputs();
    const long long left = job.out_count - first;
    write_outputs(job.out + channel * job.out_stride + first, made,
                  static_cast<int>(min(left, static_cast<long long>(period.tile_outputs()))));
    slot = slot + 1 == kStages ? 0 : slot + 1;
  }
}

/// Down to a multiple of four, also below 0.
std::int64_t floor_four(std::int64_t n) {
  return n >= 0 ? n / 4 * 4 : -((3 - n) / 4 * 4);
}

}  // namespace

/// Draws the windows for kOutputs outputs of a thread; false where they do not fit kWindow places or a block.
template <int kOutputs, int kWindow>
bool ResamplerKernels::try_period(const PolyphaseFilter& filter) {
  // A thread's inputs advance by whole vectors of four, and best no group is cut by the end of a period.
  int repeat = 4 / std::gcd(4, down_);
  if (up_ * repeat % kOutputs != 0 && up_ * repeat <= kThreads) repeat *= kOutputs;
  const std::int64_t outputs = std::int64_t{up_} * repeat;
  const std::int64_t inputs = std::int64_t{down_} * repeat;
  const std::int64_t groups = (outputs + kOutputs - 1) / kOutputs;
  if (groups > kThreads || inputs > kMostSharedBytes) return false;

  const std::int64_t lead = floor_four(filter.first(0));
  std::vector<int> offsets(static_cast<std::size_t>(groups));
  std::vector<float> windows(static_cast<std::size_t>(kOutputs * kWindow * groups));
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::int64_t begin = floor_four(filter.first(group * kOutputs));
    offsets[static_cast<std::size_t>(group)] = static_cast<int>(begin - lead);
    for (int r = 0; r < kOutputs; ++r) {
      const std::int64_t m = group * kOutputs + r;
      if (m >= outputs) break;
      const std::int64_t shift = filter.first(m) - begin;
      if (shift + taps_ > kWindow) return false;
      for (int i = 0; i < taps_; ++i)
        windows[static_cast<std::size_t>((r * kWindow + shift + i) * groups + group)] =
            filter.row(static_cast<int>(m % up_))[i];
    }
  }

  ResamplerPeriod period;
  period.outputs = static_cast<int>(outputs);
  period.inputs = static_cast<int>(inputs);
  period.groups = static_cast<int>(groups);
  period.lanes = kThreads / period.groups;
  period.steps = std::clamp(kTileFrames / (period.lanes * std::max(period.outputs, period.inputs)), 1, 8);
  period.lead = static_cast<int>(lead);
  period.stage_floats = period.tile_inputs() - period.inputs + offsets.back() + kWindow;
  const std::int64_t floats =
      std::int64_t{kStages} * period.stage_floats + (period.tile_outputs() + 3) / 4 * 4;
  if (floats * static_cast<std::int64_t>(sizeof(float)) > kMostSharedBytes) return false;

  const int bytes = static_cast<int>(floats * static_cast<std::int64_t>(sizeof(float)));
  const int threads = (period.groups * period.lanes + 31) / 32 * 32;
  const PeriodKernel kernel = period_kernel<kOutputs, kWindow>;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident_blocks_, kernel, threads,
                                                    static_cast<std::size_t>(bytes)) != cudaSuccess ||
      resident_blocks_ < 1) {
    (void)cudaGetLastError();  // an older device with less shared memory: the plain kernel has no such need
    return false;
  }
  offsets_ = ringwave::cuda::DeviceArray<int>(std::span<const int>(offsets));
  windows_ = ringwave::cuda::DeviceArray<float>(std::span<const float>(windows));
  period_ = period;
  period_kernel_ = kernel;
  threads_ = threads;
  shared_bytes_ = bytes;
  return true;
}

ResamplerKernels::ResamplerKernels(const PolyphaseFilter& filter)
    : up_(filter.up()),
      down_(filter.down()),
      middle_(filter.middle()),
      taps_(filter.taps()),
      run_(filter.run()) {
  int device = 0;
  ringwave::cuda::check(cudaGetDevice(&device), "asking for the current GPU");
  ringwave::cuda::check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device),
                        "asking a GPU for its size");
  std::vector<float> columns(static_cast<std::size_t>(taps_) * static_cast<std::size_t>(up_));
  for (std::int64_t slot = 0; slot < up_; ++slot)
    for (std::int64_t i = 0; i < taps_; ++i)
      columns[static_cast<std::size_t>(i * up_ + slot)] = filter.row(static_cast<int>(slot))[i];
  columns_ = ringwave::cuda::DeviceArray<float>(std::span<const float>(columns));
  // The shortest windows that fit: what they have more than the rows is multiplied by zero.
  (void)(try_period<3, 16>(filter) || try_period<3, 28>(filter) || try_period<3, 48>(filter) ||
         try_period<1, 64>(filter));
}

std::int64_t ResamplerKernels::tiles_of(const ResamplerJob& job) const noexcept {
  return (job.out_count + period_.tile_outputs() - 1) / period_.tile_outputs() * job.channels;
}

cudaError_t ResamplerKernels::launch(cudaStream_t stream, const ResamplerJob& job) const noexcept {
  // Few tiles leave most of the device idle; the plain kernel cuts them finer.
  const bool by_periods = period_kernel_ != nullptr && tiles_of(job) >= multiprocessors_ / 2;
  return by_periods ? launch_period(stream, job) : launch_plain(stream, job);
}

cudaError_t ResamplerKernels::warm_up(cudaStream_t stream, const ResamplerJob& job) const noexcept {
  if (period_kernel_ != nullptr)
    if (const cudaError_t error = launch_period(stream, job); error != cudaSuccess) return error;
  return launch_plain(stream, job);
}

cudaError_t ResamplerKernels::launch_plain(cudaStream_t stream, const ResamplerJob& job) const noexcept {
  const auto blocks = static_cast<unsigned>((job.out_count + kThreads - 1) / kThreads);
  const auto rows = static_cast<unsigned>(std::min((job.channels + kChannels - 1) / kChannels, kMostRows));
  plain_kernel<<<dim3(blocks, rows), kThreads, 0, stream>>>(job, columns_.data(), up_, down_, middle_, taps_,
                                                            run_);
  return cudaGetLastError();
}

cudaError_t ResamplerKernels::launch_period(cudaStream_t stream, const ResamplerJob& job) const noexcept {
  const std::int64_t tiles = tiles_of(job);
  const auto blocks = static_cast<unsigned>(
      std::min<std::int64_t>(tiles, static_cast<std::int64_t>(resident_blocks_) * multiprocessors_));
  period_kernel_<<<blocks, threads_, static_cast<std::size_t>(shared_bytes_), stream>>>(
      job, period_, tiles / job.channels, windows_.data(), offsets_.data());
  return cudaGetLastError();
}

}  // namespace ringwave::dsp
