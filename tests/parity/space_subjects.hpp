// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/parity/subject.hpp"

namespace ringwave::parity {

/// Delay, chorus and reverb, with oracles on libm and lines in double. An oracle does not know which channel
/// it hears: every channel sounds the same here.
[[nodiscard]] std::vector<Subject> space_subjects();

}  // namespace ringwave::parity
