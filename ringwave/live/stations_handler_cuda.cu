// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/stations_handler_cuda.cuh"

#include "ringwave/live/stations_handler.hpp"

// Compiled without fused multiply-add, but where fused() asks for it, as the renderer's voices are.
namespace ringwave::live {

void register_stations_handler(ring::Handlers& handlers) {
  handlers.add(ring::handler<StationsHandler>(StationsHandler::kName));
}

}  // namespace ringwave::live
