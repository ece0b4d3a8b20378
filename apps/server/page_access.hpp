// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/server/config.hpp"
#include "apps/server/origin.hpp"
#include "apps/server/request.hpp"

namespace ringwave::server {

/// By which names the server is called, and from which web pages it is used.
///
/// A page could have a name of its own lead to this machine, and would then be of the same origin: the server
/// answers only to names that are its own. A page of another site may neither change anything nor have
/// anything played in its midst, unless its origin is allowed. Programs that are no browsers name no origin
/// and no site, and may.
class PageAccess {
 public:
  /// `own_names`: those of this machine, in small letters; see names_of_this_machine(). [setup]
  PageAccess(const ServerConfig& config, const std::vector<std::string>& own_names);

  /// Throws Refusal: forbidden for a name that is not the server's. [any]
  void require_host(const Request& request) const;
  /// Throws Refusal: forbidden for a page of another origin, also of the same host with another scheme. [any]
  void require_origin(const Request& request) const;
  /// Throws Refusal: forbidden for what a page of another site has embedded or fetched. That somebody follows
  /// a link to here is allowed. [any]
  void require_site(const Request& request) const;

  /// A page of an allowed origin asks; its browser may use the answer there. [any]
  [[nodiscard]] bool is_of_allowed_page(const Request& request) const;

 private:
  [[nodiscard]] bool is_allowed(std::string_view origin) const;

  std::vector<Origin> origins_;
  std::vector<std::string> names_;
};

/// What this machine is called, in small letters: its host name, that with .local, and where `is_asked` what
/// the name service calls it, which can take seconds. [setup]
[[nodiscard]] std::vector<std::string> names_of_this_machine(bool is_asked);

}  // namespace ringwave::server
