// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "ringwave/core/cuda/memory.cuh"
#include "ringwave/dsp/resampler_twins.hpp"

namespace ringwave::dsp {

/// A part of a signal in memory that the device can reach: outputs `out_first` to `out_first + out_count`
/// from inputs `in_first` to `in_first + in_count`, one after the other in each channel; every other input is
/// silence. `in_first` is a multiple of 4, and `out_first` one of ResamplerKernels::outputs_multiple().
struct ResamplerJob {
  const float* in;
  std::int64_t in_stride;
  std::int64_t in_first;
  std::int64_t in_count;
  float* out;
  std::int64_t out_stride;
  std::int64_t out_first;
  std::int64_t out_count;
  int channels;
};

/// After `outputs` outputs the phases repeat, `inputs` inputs further. How a block of threads walks over
/// that: thread t has the outputs of group t % groups in every period t / groups + i lanes.
struct ResamplerPeriod {
  int outputs = 0;       // of a period; a multiple of up
  int inputs = 0;        // of a period; a multiple of 4
  int groups = 0;        // of neighbouring outputs
  int lanes = 0;         // periods side by side
  int steps = 0;         // of a thread in one tile
  int lead = 0;          // the first input of period 0, a multiple of 4, at most 0
  int stage_floats = 0;  // inputs of a tile

  [[nodiscard]] __host__ __device__ int tile_outputs() const { return steps * lanes * outputs; }
  [[nodiscard]] __host__ __device__ int tile_inputs() const { return steps * lanes * inputs; }
};

/// The two kernels and their tables: one for periods that fit a block of threads and rows that fit its
/// registers, a plain one for everything.
class ResamplerKernels {
 public:
  explicit ResamplerKernels(const PolyphaseFilter& filter);

  /// Enqueues the work. [audio]
  cudaError_t launch(cudaStream_t stream, const ResamplerJob& job) const noexcept;

  /// Enqueues it with every kernel that launch() might choose. [setup]
  cudaError_t warm_up(cudaStream_t stream, const ResamplerJob& job) const noexcept;

  /// A part of a signal begins at a multiple of so many outputs. [any]
  [[nodiscard]] int outputs_multiple() const noexcept {
    return period_kernel_ == nullptr ? 1 : period_.outputs;
  }

 private:
  using PeriodKernel = void (*)(ResamplerJob, ResamplerPeriod, std::int64_t, const float*, const int*);

  template <int kOutputs, int kWindow>
  bool try_period(const PolyphaseFilter& filter);
  cudaError_t launch_plain(cudaStream_t stream, const ResamplerJob& job) const noexcept;
  cudaError_t launch_period(cudaStream_t stream, const ResamplerJob& job) const noexcept;
  [[nodiscard]] std::int64_t tiles_of(const ResamplerJob& job) const noexcept;

  int up_;
  int down_;
  std::int64_t middle_;
  int taps_;
  int run_;
  ringwave::cuda::DeviceArray<float> columns_;  // [tap][slot]
  ResamplerPeriod period_;
  PeriodKernel period_kernel_ = nullptr;
  ringwave::cuda::DeviceArray<float> windows_;  // [output of a group][place in its window][group]
  ringwave::cuda::DeviceArray<int> offsets_;    // of a group's window, from the period's first input
  int threads_ = 0;
  int shared_bytes_ = 0;
  int resident_blocks_ = 0;
  int multiprocessors_ = 0;
};

}  // namespace ringwave::dsp
