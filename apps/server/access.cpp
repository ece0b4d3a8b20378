// SPDX-License-Identifier: Apache-2.0
#include "apps/server/access.hpp"

#include <algorithm>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {

using stream::Refusal;
using stream::RefusalCode;

Access::Access(const ServerConfig& config) : tokens_(config.tokens) {
  for (const std::string& text : config.allowed_origins)
    if (auto origin = Origin::from_text(text)) origins_.push_back(std::move(*origin));
  const auto address = Address::from_text(config.host);
  is_local_ = address && address->is_loopback();
}

void Access::require_token(const Request& request) const {
  if (tokens_.empty()) return;
  constexpr std::string_view kScheme = "Bearer ";
  const std::string given = request.authorization.starts_with(kScheme)
                                ? request.authorization.substr(kScheme.size())
                                : request.asked("token").value_or("");
  bool is_known = false;
  for (const std::string& token : tokens_) is_known |= is_same_secret(token, given);
  if (!is_known)
    throw Refusal(RefusalCode::unauthorized,
                  "this server wants a token; send Authorization: Bearer TOKEN, or ?token=TOKEN");
}

void Access::require_origin(const Request& request) const {
  if (request.origin.empty()) return;
  const auto origin = Origin::from_text(request.origin);
  if (origin && std::ranges::find(origins_, *origin) != origins_.end()) return;
  if (origin && !request.host.empty() && origin->host == in_small_letters(request.host)) return;
  throw Refusal(
      RefusalCode::forbidden,
      "a page of " + request.origin + " may not use this server; its owner can name it in allowed_origins");
}

void Access::require_host(const Request& request) const {
  if (!is_local_ || request.host.empty()) return;
  const std::string name = name_of_host(request.host);
  if (name == "localhost" || name.ends_with(".localhost") || Address::from_text(name)) return;
  if (std::ranges::any_of(origins_, [&](const Origin& origin) { return name_of_host(origin.host) == name; }))
    return;
  throw Refusal(RefusalCode::forbidden,
                "this server is not " + name + "; its owner can name it in allowed_origins");
}

bool is_same_secret(std::string_view a, std::string_view b) noexcept {
  bool is_same = a.size() == b.size();
  for (std::size_t i = 0; i < b.size(); ++i) is_same &= b[i] == (a.empty() ? '\0' : a[i % a.size()]);
  return is_same;
}

}  // namespace ringwave::server
