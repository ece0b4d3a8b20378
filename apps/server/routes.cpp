// SPDX-License-Identifier: Apache-2.0
#include "apps/server/routes.hpp"

#include <array>

#include "apps/server/endpoints.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

using enum Method;
using stream::Refusal;
using stream::RefusalCode;

constexpr std::array kRoutes{
    Route{.method = get, .pattern = "/api/stations", .handle = list_stations, .is_for_administrators = true},
    Route{post, "/api/stations", create_station},
    Route{get, "/api/stations/{id}", get_station},
    Route{patch, "/api/stations/{id}", change_station},
    Route{remove, "/api/stations/{id}", remove_station},
    Route{get, "/api/presets", list_presets},
    Route{post, "/api/presets", save_preset},
    Route{get, "/api/presets/{name}", get_preset},
    Route{remove, "/api/presets/{name}", remove_preset},
    Route{post, "/api/render", order_render},
    Route{get, "/api/render/{id}", get_render},
    Route{remove, "/api/render/{id}", remove_render},
    Route{get, "/api/render/{id}/file", get_render_file},
    Route{.method = get, .pattern = "/api/status", .handle = get_status, .is_for_administrators = true},
    Route{.method = get, .pattern = "/api/devices", .handle = get_devices, .is_for_administrators = true},
    Route{get, "/api/openapi.json", get_openapi},
    Route{.method = get, .pattern = "/health", .handle = get_health, .is_open = true, .is_immediate = true},
    Route{.method = get, .pattern = "/metrics", .handle = get_metrics, .is_for_administrators = true},
    Route{.method = get, .pattern = "/stream/{file}", .kind = RouteKind::plain_stream},
    Route{.method = get, .pattern = "/ws/stations/{id}", .kind = RouteKind::web_socket},
};

/// The first part of a path, which then lacks it.
std::string_view take_part(std::string_view& path) {
  path.remove_prefix(1);  // its slash
  const std::string_view part = path.substr(0, path.find('/'));
  path.remove_prefix(part.size());
  return part;
}

bool fits(std::string_view pattern, std::string_view path, std::vector<std::string>& parameters) {
  parameters.clear();
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = take_part(pattern);
    const std::string_view found = take_part(path);
    if (!wanted.starts_with('{') && wanted != found) return false;
    if (wanted.starts_with('{')) parameters.emplace_back(found);
  }
  return pattern.empty() && path.empty();
}

void allow(Match& match, Method method) {
  if (!match.allowed.empty()) match.allowed += ", ";
  match.allowed += to_string(method);
  if (method == Method::get) match.allowed += ", HEAD";
}

Answer answer_without_route(const Services& services, const Match& match, const Request& request) {
  if (!match.allowed.empty() || request.method != Method::get) {
    const std::string allowed = match.allowed.empty() ? "GET, HEAD" : match.allowed;
    const int status = is_method_of_http(request.method_name) ? 405 : 501;
    Answer answer =
        refusal_answer(RefusalCode::unsupported, "this address knows " + allowed + " alone", status);
    answer.headers.emplace_back("Allow", allowed);
    return answer;
  }
  return services.page.answer(request.path, request.if_none_match);
}

}  // namespace

std::span<const Route> routes() noexcept {
  return kRoutes;
}

Match find_route(const Request& request) {
  Match match;
  std::vector<std::string> parameters;
  for (const Route& route : kRoutes) {
    if (!fits(route.pattern, request.path, parameters)) continue;
    allow(match, route.method);
    if (request.method != route.method) continue;
    match.route = &route;
    match.parameters = parameters;
  }
  return match;
}

Answer answer_to_fault(const Log& log) noexcept {
  try {
    throw;
  } catch (const Refusal& refusal) {
    return refusal_answer(refusal.code(), refusal.what());
  } catch (const std::exception& fault) {
    log.warn(std::string("a request failed: ") + fault.what());
  }
  return refusal_answer(RefusalCode::internal, "the server failed at this; its log says why");
}

Answer answer_to(Services& services, const Match& match, const Request& request) noexcept {
  try {
    if (match.route == nullptr) return answer_without_route(services, match, request);
    if (match.route->is_for_administrators) services.access.rights_of(request).require_to_see_all();
    return match.route->handle(services, request);
  } catch (const std::exception&) {
    return answer_to_fault(services.log);
  }
}

}  // namespace ringwave::server
