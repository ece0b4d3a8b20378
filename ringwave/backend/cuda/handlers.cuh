// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/handlers.hpp"

namespace ringwave::backend::cuda {

/// Adds the library's handlers of ring kernels, as resident kernels. [setup]
void register_handlers(ring::Handlers& handlers);

}  // namespace ringwave::backend::cuda
