// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "ringwave/core/aligned_floats.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/dsp/convolver.hpp"
#include "ringwave/dsp/partition.hpp"
#include "ringwave/dsp/spectral_lines_cpu.hpp"
#include "ringwave/dsp/split_fft_cpu.hpp"

namespace ringwave::dsp {

/// The spectra of one level of every path of a response.
using LevelResponse = std::vector<SpectralLines>;

/// The part of a convolution that is done with parts of N taps, N samples after they came in.
///
/// While a segment of N samples comes in, the work on the one before is done, in pieces that take about the
/// same time at every call. What they give is played during the segment after.
class ConvolutionLevel {
 public:
  ConvolutionLevel(const PartitionLevel& level, int inputs, int outputs,
                   std::span<const Convolver::Route> routes, int fade_frames);

  /// The spectra of a response for this level; `taps` by path. Throws OutOfMemory. [setup]
  [[nodiscard]] LevelResponse make_response(std::span<const std::span<const float>> taps);

  /// Starts with this one. [setup]
  void start(const LevelResponse& response) noexcept { active_ = &response; }

  /// Goes over to another response as soon as it can. Both must live until changed(). [audio]
  void change(const LevelResponse& response) noexcept { next_ = &response; }
  /// True when no change is under way. [audio]
  [[nodiscard]] bool changed() const noexcept { return next_ == nullptr; }

  /// Takes `frames` samples of each input and adds to as many of each output. The segment ends with them or
  /// later. [audio]
  RW_REALTIME void advance(std::span<const float* const> in, std::span<float* const> out,
                           int frames) noexcept;

  /// Forgets the past. A change under way is done at once. [audio]
  RW_REALTIME void reset() noexcept;

 private:
  /// How far a change is: the new response is computed beside the old one for two segments, because a segment
  /// rings on into the next; then the two are faded.
  enum class Stage : unsigned char { steady, first, second, fade };

  /// What one response gives: three segments of 2 N samples for each output, which take turns.
  struct Result {
    std::array<std::vector<AlignedFloats>, 3> segments;
  };

  void take(std::span<const float* const> in, std::size_t frames) noexcept;
  void play(std::span<float* const> out, std::size_t frames) noexcept;
  void work_until(double share) noexcept;
  double work_on(std::size_t item) noexcept;
  void multiply(std::size_t chunk) noexcept;
  void multiply(std::size_t chunk, const LevelResponse& response, std::size_t set) noexcept;
  void end_segment() noexcept;
  void plan_segment() noexcept;
  void measure();

  [[nodiscard]] bool computes(std::size_t set) const noexcept;
  [[nodiscard]] Complex* small_of_input(std::size_t input) noexcept;
  [[nodiscard]] Complex* small_of_output(std::size_t set, std::size_t output) noexcept;

  std::size_t frames_;
  std::size_t parts_;
  std::size_t inputs_;
  std::size_t outputs_;
  std::size_t fade_frames_;
  std::vector<Convolver::Route> routes_;
  std::vector<std::vector<std::size_t>> routes_to_;  // by output
  SplitFft fft_;

  std::array<std::vector<AlignedFloats>, 2> taken_;  // [coming in, worked on][input]
  std::vector<SpectralLines> history_;               // [input], `parts_` segments that take turns
  AlignedFloats small_in_;
  AlignedFloats small_out_;
  AlignedFloats lines_;
  std::array<Result, 2> results_;  // of the active response and of the next one
  std::size_t active_set_ = 0;
  std::size_t newest_ = 0;   // in the history: the segment that is worked on
  std::size_t written_ = 0;  // of the three segments: this one is being computed
  std::size_t position_ = 0;
  std::size_t item_ = 0;
  std::size_t items_ = 0;
  double spent_ = 0;
  double total_ = 0;
  double row_forward_cost_ = 1;
  double chunk_cost_ = 1;
  double row_inverse_cost_ = 1;
  const LevelResponse* active_ = nullptr;
  const LevelResponse* next_ = nullptr;
  Stage stage_ = Stage::steady;
};

}  // namespace ringwave::dsp
