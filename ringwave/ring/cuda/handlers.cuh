// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/handlers.hpp"

namespace ringwave::ring::cuda {

/// The library's handlers, as resident kernels. [setup]
void register_handlers(Handlers& handlers);

}  // namespace ringwave::ring::cuda
