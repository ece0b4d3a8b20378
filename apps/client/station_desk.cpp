// SPDX-License-Identifier: Apache-2.0
#include "apps/client/station_desk.hpp"

#include <nlohmann/json.hpp>

#include "apps/client/http_request.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

constexpr unsigned kCreated = 201;
constexpr unsigned kBadRequest = 400;
constexpr unsigned kTooMany = 429;
constexpr unsigned kServerError = 500;

}  // namespace

std::string StationDesk::make(const Wish& wish) const {
  nlohmann::json body = nlohmann::json::object();
  if (!wish.preset.empty()) body["preset"] = wish.preset;
  if (wish.seed) body["seed"] = *wish.seed;
  const std::string text = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const HttpAnswer answer = http_request(server_, "POST", "/api/stations", text);
  const std::string refused = "the server at " + server_.authority() + " makes no station: ";
  if (answer.status >= kBadRequest && answer.status < kServerError && answer.status != kTooMany)
    throw InvalidArgument(refused + sentence_of(answer));
  if (answer.status >= kBadRequest) throw DeviceUnavailable(refused + sentence_of(answer));
  const auto station = nlohmann::json::parse(answer.body, nullptr, false);
  const bool has_id =
      answer.status == kCreated && station.is_object() && station.contains("id") && station["id"].is_string();
  std::string id = has_id ? station["id"].get<std::string>() : "";
  if (!stream::is_station_id(id))
    throw DeviceUnavailable("what is at " + server_.authority() +
                            " is no server of Ringwave's: asked for a " +
                            "station, it answered with HTTP status " + std::to_string(answer.status));
  return id;
}

bool StationDesk::remove(const std::string& id) const noexcept {
  try {
    return http_request(server_, "DELETE", "/api/stations/" + id).status < kBadRequest;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace ringwave::client
