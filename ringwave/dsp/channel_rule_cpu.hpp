// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "ringwave/backend/cpu/cpu_block_op.hpp"
#include "ringwave/dsp/channel_rule.hpp"

namespace ringwave::dsp {

/// The CPU twin of a rule. `Twin` is its RuleTwin.
template <class Rule, class Twin>
class ChannelRuleCpu final : public backend::cpu::CpuBlockOp<Twin> {
 public:
  /// `line_samples` for each channel. [setup]
  ChannelRuleCpu(const typename Rule::Constants& constants, int channels, int line_samples)
      : backend::cpu::CpuBlockOp<Twin>(constants),
        line_samples_(static_cast<std::size_t>(line_samples)),
        states_(static_cast<std::size_t>(channels)),
        lines_(states_.size() * line_samples_) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept override {
    const FlushSubnormals flush;
    for (int channel = 0; channel < in.channels(); ++channel) {
      const auto index = static_cast<std::size_t>(channel);
      run(channel, states_[index], {lines_.data() + index * line_samples_, 1}, in.channel(channel),
          out.channel(channel));
    }
    return Status::ok;
  }

  void reset() noexcept override {
    std::ranges::fill(states_, typename Rule::State{});
    std::ranges::fill(lines_, 0.0F);
  }

 private:
  void run(int channel, typename Rule::State& memory, Line line, std::span<const float> in,
           std::span<float> out) noexcept {
    const typename Rule::Constants constants = this->constants();
    typename Rule::State state = memory;
    std::uint32_t nonfinite = 0;
    for (std::size_t n = 0; n < in.size(); ++n) {
      const std::uint32_t bad = backend::is_nonfinite(in[n]);
      nonfinite += bad;
      out[n] = Rule::step(constants, state, line, channel, bad != 0 ? 0.0F : in[n]);
    }
    memory = state;
    this->count(nonfinite);
  }

  std::size_t line_samples_;
  std::vector<typename Rule::State> states_;
  std::vector<float> lines_;  // [channel][sample]
};

}  // namespace ringwave::dsp
