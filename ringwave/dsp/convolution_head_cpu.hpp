// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "ringwave/core/aligned_floats.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/dsp/convolution_level_cpu.hpp"

namespace ringwave::dsp {

/// The part of a convolution that is due at once: parts of N taps, all of them multiplied for every block of
/// N samples. A block that comes in pieces is transformed again with each piece, so that nothing waits.
class ConvolutionHead {
 public:
  ConvolutionHead(int frames, int parts, int inputs, int outputs, std::span<const Convolver::Route> routes,
                  int fade_frames);

  /// The spectra of a response for the head; `taps` by path. Throws OutOfMemory. [setup]
  [[nodiscard]] LevelResponse make_response(std::span<const std::span<const float>> taps);

  void start(const LevelResponse& response) noexcept { active_ = &response; }
  /// Goes over to another response with the next block. Both must live until changed(). [audio]
  void change(const LevelResponse& response) noexcept { next_ = &response; }
  [[nodiscard]] bool changed() const noexcept { return next_ == nullptr; }

  /// Samples until the block is full. [audio]
  [[nodiscard]] int room() const noexcept { return static_cast<int>(frames_ - position_); }

  /// Takes `frames` samples of each input, at most room(), and writes as many of each output. [audio]
  RW_REALTIME void advance(std::span<const float* const> in, std::span<float* const> out,
                           int frames) noexcept;

  /// Forgets the past. A change under way is done at once. [audio]
  RW_REALTIME void reset() noexcept;

 private:
  void compute(const LevelResponse& response, std::size_t set) noexcept;
  void play(std::span<float* const> out, std::size_t frames) noexcept;
  void end_block() noexcept;

  std::size_t frames_;
  std::size_t parts_;
  std::size_t inputs_;
  std::size_t outputs_;
  std::size_t fade_frames_;
  std::vector<Convolver::Route> routes_;
  std::vector<std::vector<std::size_t>> routes_to_;  // by output
  SplitFft fft_;
  std::vector<AlignedFloats> taken_;                   // [input], 2 N samples, the later half zero
  std::vector<SpectralLines> history_;                 // [input]
  std::array<std::vector<AlignedFloats>, 2> results_;  // [of the active, of the next][output], 2 N samples
  std::array<std::vector<AlignedFloats>, 2> tails_;    // what rings on from the block before
  AlignedFloats small_;
  AlignedFloats lines_;
  std::size_t active_set_ = 0;
  std::size_t newest_ = 0;
  std::size_t position_ = 0;
  std::size_t faded_ = 0;  // frames of the fade that lie behind
  bool both_ = false;      // the next response is computed too
  bool fading_ = false;    // and heard
  const LevelResponse* active_ = nullptr;
  const LevelResponse* next_ = nullptr;
};

}  // namespace ringwave::dsp
