// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringwave::bench {

/// Three digits and the unit that fits: "14.2 ns", "1.05 us", "83.1 ms", "2.40 s". [setup]
[[nodiscard]] std::string format_duration(double nanoseconds);

}  // namespace ringwave::bench
