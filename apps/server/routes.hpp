// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/server/answer.hpp"
#include "apps/server/request.hpp"
#include "apps/server/services.hpp"

namespace ringwave::server {

/// What a route leads to: an answer that is made and sent, or a connection that then has another life.
enum class RouteKind : unsigned char { answer, plain_stream, web_socket };

/// One line of the table: who asks for this gets that.
struct Route {
  Method method;
  std::string_view pattern;  ///< "/api/stations/{id}": a {name} is any one part of a path
  Answer (*handle)(Services&, const Request&) = nullptr;
  RouteKind kind = RouteKind::answer;
  bool is_open = false;  ///< also without a token, and while the server drains
  bool is_for_administrators = false;
  bool is_immediate = false;  ///< made by the connection's own thread: it waits for nothing
};

/// All that the server knows; whatever is not here is a file of the page, or not found. [any]
[[nodiscard]] std::span<const Route> routes() noexcept;

/// The route of a request and what its {names} stand for.
struct Match {
  const Route* route = nullptr;  ///< nothing: see `allowed`
  std::vector<std::string> parameters{};
  std::string
      allowed{};  ///< methods that the path has, as "GET, HEAD, POST"; empty where there is no such path
};
/// [any]
[[nodiscard]] Match find_route(const Request& request);

/// Makes the answer, whatever happens: a refusal and a fault are answers, too. [server]
[[nodiscard]] Answer answer_to(Services& services, const Match& match, const Request& request) noexcept;
/// What a fault that was just caught is to the client. [server]
[[nodiscard]] Answer answer_to_fault(const Log& log) noexcept;

}  // namespace ringwave::server
