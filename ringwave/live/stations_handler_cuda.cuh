// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/handlers.hpp"

namespace ringwave::live {

/// StationsHandler, as a resident kernel. [setup]
void register_stations_handler(ring::Handlers& handlers);

}  // namespace ringwave::live
