// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/cuda/handlers.cuh"

#include "ringwave/ring/echo.hpp"
#include "ringwave/ring/hop.hpp"

namespace ringwave::ring::cuda {

void register_handlers(Handlers& handlers) {
  handlers.add(handler<Echo>(Echo::kName));
  handlers.add(handler<Hop>(Hop::kName));
}

}  // namespace ringwave::ring::cuda
