// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/dsp/convolver.hpp"

namespace ringwave::dsp {

/// The taps of every path, last tap first.
using DirectResponse = std::vector<std::vector<float>>;

/// Convolution by its formula: every tap for every sample. The truth that the others are held against, and
/// the fastest for a few dozen taps.
class DirectConvolution {
 public:
  DirectConvolution(int max_frames, int taps, int inputs, int outputs,
                    std::span<const Convolver::Route> routes, int fade_frames);

  /// Of `taps` taps each, with zeros behind shorter ones. [setup]
  [[nodiscard]] DirectResponse make_response(std::span<const std::span<const float>> taps) const;

  void start(const DirectResponse& response) noexcept { active_ = &response; }
  /// Goes over to another response at once. Both must live until changed(). [audio]
  void change(const DirectResponse& response) noexcept { next_ = &response; }
  [[nodiscard]] bool changed() const noexcept { return next_ == nullptr; }

  /// Takes `frames` samples of each input and writes as many of each output. [audio]
  RW_REALTIME void advance(std::span<const float* const> in, std::span<float* const> out,
                           int frames) noexcept;

  /// Forgets the past. A change under way is done at once. [audio]
  RW_REALTIME void reset() noexcept;

 private:
  void convolve(const DirectResponse& response, std::span<float* const> out, std::size_t frames) noexcept;

  std::size_t taps_;
  std::size_t fade_frames_;
  std::vector<Convolver::Route> routes_;
  std::vector<std::vector<float>> history_;   // [input]: taps - 1 samples of the past, the block, kReadBeyond
  std::vector<std::vector<float>> faded_in_;  // [output]: what the next response gives
  std::vector<float*> faded_in_rows_;
  std::size_t faded_ = 0;
  const DirectResponse* active_ = nullptr;
  const DirectResponse* next_ = nullptr;
};

}  // namespace ringwave::dsp
