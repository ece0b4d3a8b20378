// SPDX-License-Identifier: Apache-2.0
#include "apps/server/request.hpp"

#include <algorithm>
#include <array>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

using stream::Refusal;
using stream::RefusalCode;

int digit_of(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

}  // namespace

std::string_view to_string(Method method) noexcept {
  switch (method) {
    case Method::get:
      return "GET";
    case Method::post:
      return "POST";
    case Method::patch:
      return "PATCH";
    case Method::remove:
      break;
  }
  return "DELETE";
}

bool is_method_of_http(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 9> kMethods{"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                                            "CONNECT", "OPTIONS", "TRACE", "PATCH"};
  return std::ranges::find(kMethods, name) != kMethods.end();
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      made += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
    const int low = high >= 0 ? digit_of(text[i + 2]) : -1;
    if (low < 0) return {};
    made += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return made;
}

std::optional<std::string> Request::asked(std::string_view name) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::string_view member = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(member.size() + 1, rest.size()));
    const std::size_t equals = std::min(member.find('='), member.size());
    if (member.substr(0, equals) == name)
      return percent_decoded(member.substr(std::min(equals + 1, member.size())));
  }
  return {};
}

void set_target(Request& request, std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  auto path = percent_decoded(target.substr(0, mark));
  const bool is_path = path && (path->starts_with('/') || target == "*");
  if (!is_path ||
      std::ranges::any_of(*path, [](char letter) { return static_cast<unsigned char>(letter) < 0x20; }))
    throw Refusal(RefusalCode::out_of_range, "the address is no path that begins with a slash");
  request.path = std::move(*path);
  request.query = target.substr(std::min(mark + 1, target.size()));
}

}  // namespace ringwave::server
