// SPDX-License-Identifier: Apache-2.0
#include "apps/server/page_access.hpp"

#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "apps/server/address.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {

using stream::Refusal;
using stream::RefusalCode;

PageAccess::PageAccess(const ServerConfig& config, const std::vector<std::string>& own_names)
    : names_(own_names) {
  for (const std::string& name : config.server_names) names_.push_back(in_small_letters(name));
  for (const std::string& text : config.allowed_origins)
    if (auto origin = Origin::from_text(text)) {
      names_.push_back(name_of_host(origin->host));
      origins_.push_back(std::move(*origin));
    }
}

void PageAccess::require_host(const Request& request) const {
  const std::string name = name_of_host(request.host);
  if (name.empty() || name == "localhost" || name.ends_with(".localhost") || Address::from_text(name)) return;
  if (std::ranges::find(names_, name) != names_.end()) return;
  throw Refusal(RefusalCode::forbidden,
                "this server is not called " + name + "; its owner can name it in server_names");
}

void PageAccess::require_origin(const Request& request) const {
  if (request.origin.empty() || is_allowed(request.origin)) return;
  const auto origin = Origin::from_text(request.origin);
  const auto own = Origin::from_text((request.is_https ? "https://" : "http://") + request.host);
  if (origin && own && *origin == *own) return;
  throw Refusal(
      RefusalCode::forbidden,
      "a page of " + request.origin + " may not use this server; its owner can name it in allowed_origins");
}

void PageAccess::require_site(const Request& request) const {
  const std::string& site = request.fetch_site;
  if (site.empty() || site == "none" || site == "same-origin") return;
  if (request.is_navigation && request.method == Method::get) return;
  if (is_of_allowed_page(request)) return;
  throw Refusal(RefusalCode::forbidden,
                "a page of another site may not embed what this server has; its owner can name it in "
                "allowed_origins, and the page has to say where it is from");
}

bool PageAccess::is_of_allowed_page(const Request& request) const {
  if (!request.origin.empty()) return is_allowed(request.origin);
  const std::string_view referer = request.referer;
  const std::size_t mark = referer.find("://");
  if (mark == std::string_view::npos) return false;
  return is_allowed(referer.substr(0, referer.find('/', mark + 3)));
}

bool PageAccess::is_allowed(std::string_view origin) const {
  const auto found = Origin::from_text(origin);
  return found && std::ranges::find(origins_, *found) != origins_.end();
}

std::vector<std::string> names_of_this_machine(bool is_asked) {
  std::array<char, 256> text{};
  if (gethostname(text.data(), text.size() - 1) != 0 || text[0] == '\0') return {};
  const std::string name = in_small_letters(text.data());
  const std::string first = name.substr(0, name.find('.'));
  std::vector<std::string> names{name, first, first + ".local"};
  if (!is_asked) return names;
  addrinfo wish{};
  wish.ai_flags = AI_CANONNAME;
  addrinfo* found = nullptr;
  if (getaddrinfo(text.data(), nullptr, &wish, &found) != 0) return names;
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  if (found->ai_canonname != nullptr) names.push_back(in_small_letters(found->ai_canonname));
  return names;
}

}  // namespace ringwave::server
