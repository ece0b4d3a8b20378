// SPDX-License-Identifier: Apache-2.0
#include "apps/server/access.hpp"

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

using stream::Refusal;
using stream::RefusalCode;

bool is_one_of(const std::vector<std::string>& tokens, std::string_view secret) {
  bool is_known = false;
  for (const std::string& token : tokens) is_known |= is_same_secret(token, secret);
  return is_known;
}

/// What stands in `Authorization: Bearer`; nothing where something else does.
std::string_view bearer_of(const Request& request) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view given = request.authorization;
  const bool is_bearer = in_small_letters(given.substr(0, kScheme.size())) == kScheme;
  return is_bearer ? given.substr(kScheme.size()) : std::string_view();
}

}  // namespace

Access::Access(const ServerConfig& config, std::string made_token)
    : pages_(config, names_of_this_machine(!is_for_this_machine(config))),
      tokens_(config.tokens),
      admin_tokens_(config.admin_tokens),
      has_configured_admins_(!config.admin_tokens.empty()) {
  if (!made_token.empty()) admin_tokens_.push_back(std::move(made_token));
}

bool Access::is_administrators(std::string_view secret) const {
  return is_one_of(admin_tokens_, secret);
}

Rights Access::rights_of(const Request& request) const {
  Rights rights;
  rights.is_local = request.address.is_loopback() && !request.is_forwarded;
  rights.sees_all = rights.is_local && !has_configured_admins_;
  show(rights, bearer_of(request));
  show(rights, request.secret);
  return rights;
}

void Access::show(Rights& rights, std::string_view secret) const {
  if (is_administrators(secret)) rights.is_administrator = rights.sees_all = true;
  rights.show(secret);
}

void Access::require_token(const Request& request) const {
  if (tokens_.empty()) return;
  const std::string_view bearer = bearer_of(request);
  const std::string given = bearer.empty() ? request.asked("token").value_or("") : std::string(bearer);
  if (!is_one_of(tokens_, given) && !is_administrators(bearer) && !is_administrators(request.secret))
    throw Refusal(RefusalCode::unauthorized,
                  "this server wants a token; send Authorization: Bearer TOKEN, or ?token=TOKEN");
}

}  // namespace ringwave::server
