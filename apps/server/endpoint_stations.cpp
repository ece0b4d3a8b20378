// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "apps/server/endpoints.hpp"
#include "ringwave/stream/settings_json.hpp"

namespace ringwave::server {

using nlohmann::json;

json station_json(const stream::StationInfo& station) {
  json made{{"id", station.id},
            {"seed", station.seed},
            {"settings", stream::to_json(station.settings)},
            {"is_playing", station.is_playing},
            {"listeners", station.listeners},
            {"sample_time", station.sample_time},
            {"phrase", station.phrase}};
  if (!station.preset.empty()) made["preset"] = station.preset;
  return made;
}

json body_of(const Services& services, const Request& request) {
  return stream::parse_object(request.body, static_cast<std::size_t>(services.config.max_body_bytes));
}

Answer list_stations(Services& services, const Request&) {
  json stations = json::array();
  for (const stream::StationInfo& station : services.studio.list()) stations.push_back(station_json(station));
  return json_answer({{"stations", std::move(stations)}});
}

Answer create_station(Services& services, const Request& request) {
  // A body is not needed for what has nothing but defaults.
  const json wish = request.body.empty() ? json::object() : body_of(services, request);
  const StationChanges::Made made =
      services.changes.create(wish, services.access.rights_of(request), request.address);
  json told = station_json(made.station);
  told["secret"] = made.secret;
  Answer answer = json_answer(told, 201);
  answer.headers.emplace_back("Location", "/api/stations/" + made.station.id);
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

Answer get_station(Services& services, const Request& request) {
  return json_answer(station_json(services.studio.find(request.parameters.at(0))));
}

Answer change_station(Services& services, const Request& request) {
  const stream::StationInfo station = services.changes.change(
      request.parameters.at(0), body_of(services, request), services.access.rights_of(request));
  json made = station_json(station);
  made["applies_at"] = station.applies_at;
  return json_answer(made);
}

Answer remove_station(Services& services, const Request& request) {
  services.changes.remove(request.parameters.at(0), services.access.rights_of(request));
  return empty_answer();
}

}  // namespace ringwave::server
