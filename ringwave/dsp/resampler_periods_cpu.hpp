// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ringwave/dsp/resampler_twins.hpp"

namespace ringwave::dsp {

/// The CPU's resampler for long rows: outputs of the same phase lie side by side in the lanes of a vector.
/// Each is summed from the ends of its row to the middle, so that small products meet small sums, and as
/// every other of its phase, wherever in the signal it lies; where `up` is below 8 as every fourth.
[[nodiscard]] std::unique_ptr<ResamplerTwin> make_resampler_periods_cpu(const Resampler::Request& request);

/// Whether it is for such a ratio. [any]
[[nodiscard]] bool fits_resampler_periods_cpu(const Resampler::Request& request) noexcept;

}  // namespace ringwave::dsp
