// SPDX-License-Identifier: Apache-2.0
#include "apps/client/own_station.hpp"

#include <nlohmann/json.hpp>

#include "apps/client/http_request.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

constexpr unsigned kCreated = 201;
constexpr unsigned kBadRequest = 400;
constexpr unsigned kTooMany = 429;
constexpr unsigned kServerError = 500;

std::string text_of(const nlohmann::json& object, const char* member) {
  const auto found = object.is_object() ? object.find(member) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

OwnStation::OwnStation(stream::StreamUrl server, const Wish& wish) : server_(std::move(server)) {
  nlohmann::json body = nlohmann::json::object();
  if (!wish.preset.empty()) body["preset"] = wish.preset;
  if (wish.seed) body["seed"] = *wish.seed;
  const std::string text = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const HttpAnswer answer =
      http_request(server_, {.method = "POST", .target = "/api/stations", .body = text});
  const std::string refused = "the server at " + server_.authority() + " makes no station: ";
  if (answer.status >= kBadRequest && answer.status < kServerError && answer.status != kTooMany)
    throw InvalidArgument(refused + sentence_of(answer));
  if (answer.status >= kBadRequest) throw DeviceUnavailable(refused + sentence_of(answer));
  const auto station = nlohmann::json::parse(answer.body, nullptr, false);
  std::string id = answer.status == kCreated ? text_of(station, "id") : "";
  if (!stream::is_station_id(id))
    throw DeviceUnavailable("what is at " + server_.authority() +
                            " is no server of Ringwave's: asked for a " +
                            "station, it answered with HTTP status " + std::to_string(answer.status));
  id_ = std::move(id);
  secret_ = text_of(station, "secret");
}

OwnStation::~OwnStation() {
  if (id_.empty()) return;
  try {
    (void)http_request(server_, {.method = "DELETE", .target = "/api/stations/" + id_, .secret = secret_});
  } catch (const std::exception&) {
    return;  // the server has gone: there is nobody to tell
  }
}

}  // namespace ringwave::client
