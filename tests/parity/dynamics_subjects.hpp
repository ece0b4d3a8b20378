// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/parity/subject.hpp"

namespace ringwave::parity {

/// Compressor, gate, limiter and soft clipper, with oracles on libm in double.
[[nodiscard]] std::vector<Subject> dynamics_subjects();

}  // namespace ringwave::parity
