// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/server/config.hpp"
#include "apps/server/origin.hpp"
#include "apps/server/request.hpp"

namespace ringwave::server {

/// Who may use the server.
///
/// A token is compared in a time that does not depend on it. A page of another web address may neither change
/// anything nor open a WebSocket. A server that listens at this machine alone answers only to names of this
/// machine and to those of the allowed origins: a page could else call it by a name that it made for the
/// purpose.
class Access {
 public:
  explicit Access(const ServerConfig& config);

  /// Throws Refusal: unauthorized. [any]
  void require_token(const Request& request) const;
  /// Throws Refusal: forbidden. Programs that are no browsers name no origin, and may. [any]
  void require_origin(const Request& request) const;
  void require_host(const Request& request) const;

 private:
  std::vector<std::string> tokens_;
  std::vector<Origin> origins_;
  bool is_local_ = true;
};

/// Looks at every letter of both, equal or not. [any]
[[nodiscard]] bool is_same_secret(std::string_view a, std::string_view b) noexcept;

}  // namespace ringwave::server
