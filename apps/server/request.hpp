// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/server/address.hpp"

namespace ringwave::server {

/// The methods that routes know. HEAD is a GET whose answer keeps its body to itself.
enum class Method : unsigned char { get, post, patch, remove };

/// "GET", "DELETE". [any]
[[nodiscard]] std::string_view to_string(Method method) noexcept;

/// What a client asks for, as far as somebody here looks at it.
struct Request {
  std::optional<Method> method{};  ///< nothing: one that no route knows
  std::string method_name{};       ///< as it was sent
  bool is_head = false;
  std::string target{};                   ///< as it was sent: path and query
  std::string protocol{};                 ///< "HTTP/1.1"
  std::string path{};                     ///< decoded
  std::vector<std::string> parameters{};  ///< what stands in the place of the {names} of the route
  std::string query{};
  std::string body{};

  std::string host{};
  std::string origin{};
  std::string authorization{};
  std::string secret{};  ///< X-Ringwave-Secret
  std::string referer{};
  std::string fetch_site{};    ///< what a browser says of the page that asks: Sec-Fetch-Site
  bool is_navigation = false;  ///< a browser wants to show the answer by itself: somebody follows a link
  bool is_https = false;       ///< to a proxy on this machine, which says so
  bool may_embed = false;      ///< a page of an allowed origin asks
  std::string if_none_match{};
  bool is_forwarded = false;  ///< a proxy says that it passed the request on
  bool wants_icy = false;
  bool is_upgrade = false;  ///< to a WebSocket
  Address address{};        ///< of who asks

  /// A member of the query, decoded; nothing where it is absent. [any]
  [[nodiscard]] std::optional<std::string> asked(std::string_view name) const;
};

/// A method that HTTP has, whether a route knows it or not. [any]
[[nodiscard]] bool is_method_of_http(std::string_view name) noexcept;

/// Divides what stands in the first line of a request. Throws Refusal: out_of_range for one that is none.
/// [server]
void set_target(Request& request, std::string_view target);

/// "%41" is "A"; nothing where it is no such text. [any]
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace ringwave::server
