// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/handlers.hpp"

namespace ringwave::backend::cuda {

/// The handlers of every layer, as resident kernels. [setup]
void register_handlers(ring::Handlers& handlers);

}  // namespace ringwave::backend::cuda
