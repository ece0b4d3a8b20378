// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/backend/block_op.hpp"
#include "ringwave/dsp/fir.hpp"

namespace ringwave::dsp {

/// Taps whose products are summed before they join the total: long sums keep the digits of short ones.
inline constexpr int kFirRun = 32;

[[nodiscard]] std::unique_ptr<backend::BlockOp> make_fir_cpu(Device device, const Fir::Request& request);
[[nodiscard]] std::unique_ptr<backend::BlockOp> make_fir_cuda(Device device, const Fir::Request& request);

}  // namespace ringwave::dsp
