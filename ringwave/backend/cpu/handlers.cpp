// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/cpu/handlers.hpp"

#include "ringwave/live/biquad_handler.hpp"
#include "ringwave/live/convolver_handler.hpp"
#include "ringwave/live/stations_handler.hpp"
#include "ringwave/ring/echo.hpp"
#include "ringwave/ring/hop.hpp"

namespace ringwave::backend::cpu {

void register_handlers(ring::Handlers& handlers) {
  handlers.add(ring::handler<ring::Echo>(ring::Echo::kName));
  handlers.add(ring::handler<ring::Hop>(ring::Hop::kName));
  handlers.add(ring::handler<live::BiquadHandler>(live::BiquadHandler::kName));
  handlers.add(ring::handler<live::ConvolverHandler>(live::ConvolverHandler::kName));
  handlers.add(ring::handler<live::StationsHandler>(live::StationsHandler::kName));
}

}  // namespace ringwave::backend::cpu
