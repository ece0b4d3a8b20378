// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/biquad.hpp"

namespace ringwave::dsp {

[[nodiscard]] std::unique_ptr<backend::BlockOp> make_biquad_cpu(Device device,
                                                                const Biquad::Request& request);
[[nodiscard]] std::unique_ptr<backend::BlockOp> make_biquad_cuda(Device device,
                                                                 const Biquad::Request& request);

}  // namespace ringwave::dsp
