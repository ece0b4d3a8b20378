// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ringwave/backend/block_op.hpp"
#include "ringwave/core/host_device.hpp"

/// Ops whose channels know nothing of each other and whose samples depend on the one before. Such an op is a
/// rule, in its *_math.hpp, that both twins run: the CPU a channel after the other, a GPU a channel a thread.
///
///   struct SomeRule {
///     static constexpr bool kRemembers = true;  // false: a GPU takes all samples at once
///     struct Constants { … };  // what the settings come to, for every channel
///     struct State { … };      // of a channel; State{} is silence
///     RW_HOST_DEVICE static float step(const Constants&, State&, Line, int channel, float x);
///   };
///
/// What is not finite is counted and goes into the rule as silence, so that it poisons no memory.
namespace ringwave::dsp {

/// Samples that a channel keeps for its rule; all of them 0 at first.
struct Line {
  float* samples = nullptr;
  std::ptrdiff_t stride = 1;  ///< on a GPU the channels lie side by side, so that a warp reads together

  [[nodiscard]] RW_HOST_DEVICE float& operator[](int index) const { return samples[index * stride]; }
};

/// What the twins of a rule share: the constants, which are known on the host before each block.
template <class Rule>
class RuleTwin : public backend::BlockOp {
 public:
  using Constants = typename Rule::Constants;

  explicit RuleTwin(const Constants& constants) : constants_(constants) {}

  /// For the next block on. [audio]
  void set(const Constants& constants) noexcept { constants_ = constants; }

 protected:
  [[nodiscard]] const Constants& constants() const noexcept { return constants_; }

 private:
  Constants constants_;
};

}  // namespace ringwave::dsp
