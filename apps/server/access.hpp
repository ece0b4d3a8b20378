// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/server/config.hpp"
#include "apps/server/page_access.hpp"
#include "apps/server/request.hpp"
#include "apps/server/rights.hpp"

namespace ringwave::server {

/// Who may use the server, and who may do more than listen. A token is compared in a time that does not
/// depend on it.
class Access {
 public:
  /// `made_token` is the administrators' where the configuration names none.
  explicit Access(const ServerConfig& config, std::string made_token = {});

  /// What a request shows to be allowed. An administrator's token counts in a header alone, where no log has
  /// it; without any that is configured, who asks from this machine and through no proxy may see all. [any]
  [[nodiscard]] Rights rights_of(const Request& request) const;
  /// The same for what is shown later. [any]
  void show(Rights& rights, std::string_view secret) const;

  /// An administrator's token is one of the server, too. Throws Refusal: unauthorized. [any]
  void require_token(const Request& request) const;
  /// From where. [any]
  [[nodiscard]] const PageAccess& pages() const noexcept { return pages_; }

 private:
  [[nodiscard]] bool is_administrators(std::string_view secret) const;

  PageAccess pages_;
  std::vector<std::string> tokens_;
  std::vector<std::string> admin_tokens_;
  bool has_configured_admins_ = false;
};

}  // namespace ringwave::server
