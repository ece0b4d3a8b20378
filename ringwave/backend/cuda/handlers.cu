// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/cuda/handlers.cuh"

#include "ringwave/live/biquad_handler.hpp"
#include "ringwave/live/convolver_handler.hpp"
#include "ringwave/live/stations_handler_cuda.cuh"
#include "ringwave/ring/cuda/handlers.cuh"

namespace ringwave::backend::cuda {

void register_handlers(ring::Handlers& handlers) {
  ring::cuda::register_handlers(handlers);
  handlers.add(ring::handler<live::BiquadHandler>(live::BiquadHandler::kName));
  handlers.add(ring::handler<live::ConvolverHandler>(live::ConvolverHandler::kName));
  live::register_stations_handler(handlers);
}

}  // namespace ringwave::backend::cuda
