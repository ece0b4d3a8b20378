// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/soft_clip.hpp"
#include "ringwave/dsp/soft_clip_math.hpp"

namespace ringwave::dsp {

class SoftClipTwin : public RuleTwin<SoftClipRule> {
 public:
  using RuleTwin::RuleTwin;
};

/// What the settings come to for the rule. [audio]
[[nodiscard]] SoftClipRule::Constants constants_of(const SoftClip::Settings& settings) noexcept;

[[nodiscard]] std::unique_ptr<SoftClipTwin> make_soft_clip_cpu(Device device,
                                                               const SoftClip::Request& request);
[[nodiscard]] std::unique_ptr<SoftClipTwin> make_soft_clip_cuda(Device device,
                                                                const SoftClip::Request& request);

}  // namespace ringwave::dsp
