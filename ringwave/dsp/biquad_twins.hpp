// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "ringwave/backend/block_op.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/biquad_math.hpp"

namespace ringwave::dsp {

/// What the twins share: the sections and the way to them, which are known on the host before each block.
class BiquadTwin : public backend::BlockOp {
 public:
  explicit BiquadTwin(const Biquad::Request& request)
      : from_(request.sections), to_(request.sections), smooth_frames_(request.spec.smooth_frames) {}

  /// Goes to as many sections as there are, from where it is. [audio]
  virtual void set_sections(std::span<const Section> sections) noexcept {
    for (std::size_t i = 0; i < to_.size(); ++i)
      from_[i] = between(from_[i], to_[i], glide_share(done_, frames_));
    std::ranges::copy(sections, to_.begin());
    frames_ = smooth_frames_;
    done_ = 0;
  }

 protected:
  [[nodiscard]] std::span<const Section> from() const noexcept { return from_; }
  [[nodiscard]] std::span<const Section> to() const noexcept { return to_; }
  /// The length of the change, and how much of it lies behind.
  [[nodiscard]] int glide_frames() const noexcept { return frames_; }
  [[nodiscard]] int glide_done() const noexcept { return done_; }
  [[nodiscard]] bool gliding() const noexcept { return done_ < frames_; }

  /// A block of `frames` frames lies behind.
  void advance(int frames) noexcept { done_ = frames >= frames_ - done_ ? frames_ : done_ + frames; }
  void end_glide() noexcept { done_ = frames_; }

 private:
  std::vector<Section> from_;
  std::vector<Section> to_;
  int smooth_frames_;
  int frames_ = 0;
  int done_ = 0;
};

[[nodiscard]] std::unique_ptr<BiquadTwin> make_biquad_cpu(Device device, const Biquad::Request& request);
[[nodiscard]] std::unique_ptr<BiquadTwin> make_biquad_cuda(Device device, const Biquad::Request& request);

}  // namespace ringwave::dsp
