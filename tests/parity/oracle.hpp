// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "ringwave/dsp/section.hpp"

namespace ringwave::parity {

/// The cascade by its definition, the direct form I, in double: another algorithm than either twin's, and
/// nothing of theirs is called.
[[nodiscard]] std::vector<double> filtered(std::span<const dsp::Section> sections, std::span<const float> in);

/// A second-order peak of 0 dB at `hz` with quality `q` (R. Bristow-Johnson's cookbook, "BPF").
[[nodiscard]] dsp::Section resonance(double hz, double q, double sample_rate_hz);

}  // namespace ringwave::parity
