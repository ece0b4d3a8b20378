// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/server/connection_slot.hpp"
#include "apps/server/net.hpp"
#include "apps/server/office.hpp"
#include "apps/server/services.hpp"
#include "apps/server/shard.hpp"

namespace ringwave::server {

/// The whole life of a connection, on its shard. [server]
Task<> serve(Shard& shard, Services& services, Office& office, Socket socket, ConnectionSlot slot);

}  // namespace ringwave::server
