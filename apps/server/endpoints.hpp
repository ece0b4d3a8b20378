// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "apps/server/answer.hpp"
#include "apps/server/request.hpp"
#include "apps/server/services.hpp"

namespace ringwave::server {

/// What the routes lead to, a noun a file: endpoint_NOUN.cpp. Each makes one answer, and throws Refusal. One
/// thread calls them all, so that a slow disk is felt by those alone who wait for it; but for get_health(),
/// which waits for nothing and is asked when others hang. [server]
[[nodiscard]] Answer list_stations(Services& services, const Request& request);
[[nodiscard]] Answer create_station(Services& services, const Request& request);
[[nodiscard]] Answer get_station(Services& services, const Request& request);
[[nodiscard]] Answer change_station(Services& services, const Request& request);
[[nodiscard]] Answer remove_station(Services& services, const Request& request);

[[nodiscard]] Answer list_presets(Services& services, const Request& request);
[[nodiscard]] Answer save_preset(Services& services, const Request& request);
[[nodiscard]] Answer get_preset(Services& services, const Request& request);
[[nodiscard]] Answer remove_preset(Services& services, const Request& request);

[[nodiscard]] Answer order_render(Services& services, const Request& request);
[[nodiscard]] Answer get_render(Services& services, const Request& request);
[[nodiscard]] Answer remove_render(Services& services, const Request& request);
[[nodiscard]] Answer get_render_file(Services& services, const Request& request);

[[nodiscard]] Answer get_status(Services& services, const Request& request);
[[nodiscard]] Answer get_health(Services& services, const Request& request);
[[nodiscard]] Answer get_devices(Services& services, const Request& request);
[[nodiscard]] Answer get_openapi(Services& services, const Request& request);
[[nodiscard]] Answer get_metrics(Services& services, const Request& request);

/// The station as clients see it. [server]
[[nodiscard]] nlohmann::json station_json(const stream::StationInfo& station);

/// The object that the body of a request is. Throws Refusal. [server]
[[nodiscard]] nlohmann::json body_of(const Services& services, const Request& request);

}  // namespace ringwave::server
