// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/handlers.hpp"

namespace ringwave::backend::cpu {

/// Adds the library's handlers of ring kernels, for the CPU. [setup]
void register_handlers(ring::Handlers& handlers);

}  // namespace ringwave::backend::cpu
