// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringwave::bench {

/// Milliseconds in which a hypervisor has run something else while a CPU of this machine had work to do, over
/// all CPUs since the machine's start; 0 on a machine that is nobody's guest. [any]
[[nodiscard]] double stolen_milliseconds();

}  // namespace ringwave::bench
