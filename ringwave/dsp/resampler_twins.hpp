// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/dsp/resampler.hpp"

namespace ringwave::dsp {

/// Coefficients whose products are summed in float before they join a total in double: long sums keep the
/// digits of short ones.
inline constexpr int kResamplerRun = 512;
/// The same of a filter that is as fine as a float: where products are summed one after the other, a run of
/// 512 leaves 131 dB of 220 coefficients, and this one 137.
inline constexpr int kFinestResamplerRun = 32;

/// What both twins of a resampler implement. The public op has checked the shapes.
class ResamplerTwin {
 public:
  virtual ~ResamplerTwin() = default;

  /// Host memory to host memory, done on return. [audio]
  RW_REALTIME virtual Status process(BlockView<const float> in, BlockView<float> out) noexcept = 0;

  /// The same in `queue`'s order. [audio]
  RW_REALTIME virtual Status enqueue(Queue& queue, BlockView<const float> in,
                                     BlockView<float> out) noexcept = 0;
};

/// The filter by its phases. Output m is the sum over i of row(m % up)[i] x[first(m) + i], i < taps: the rows
/// are in the order of the outputs, and each lies as its inputs lie.
class PolyphaseFilter {
 public:
  /// Every row is followed by zeros up to a multiple of `row_multiple` floats. [setup]
  PolyphaseFilter(const Resampler::Request& request, int row_multiple);

  [[nodiscard]] int up() const noexcept { return up_; }
  [[nodiscard]] int down() const noexcept { return down_; }
  [[nodiscard]] std::int64_t middle() const noexcept { return middle_; }
  [[nodiscard]] int taps() const noexcept { return taps_; }
  [[nodiscard]] int row_floats() const noexcept { return row_floats_; }
  /// kResamplerRun, or what the quality asks for. [any]
  [[nodiscard]] int run() const noexcept { return run_; }

  /// The input that the first coefficient of output `m` belongs to; before the signal's beginning negative.
  /// [any]
  [[nodiscard]] std::int64_t first(std::int64_t m) const noexcept {
    return (m * down_ + middle_) / up_ - taps_ + 1;
  }
  /// The coefficients of output `slot`, 0 to up - 1, and of every up-th after it. [any]
  [[nodiscard]] const float* row(int slot) const noexcept {
    return rows_.data() + static_cast<std::ptrdiff_t>(slot) * row_floats_;
  }

 private:
  int up_;
  int down_;
  std::int64_t middle_;
  int taps_;
  int row_floats_;
  int run_;
  std::vector<float> rows_;  // [slot][row_floats]
};

[[nodiscard]] std::unique_ptr<ResamplerTwin> make_resampler_cpu(Device device,
                                                                const Resampler::Request& request);
[[nodiscard]] std::unique_ptr<ResamplerTwin> make_resampler_cuda(Device device,
                                                                 const Resampler::Request& request);

}  // namespace ringwave::dsp
