// SPDX-License-Identifier: Apache-2.0
#include "apps/server/origin.hpp"

#include <algorithm>
#include <utility>

namespace ringwave::server {
namespace {

bool is_of_a_host(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
         std::string_view("-._:[]").find(letter) != std::string_view::npos;
}

char small(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), small);
  return made;
}

bool is_same_name(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, small, small);
}

std::optional<Origin> Origin::from_text(std::string_view text) {
  const std::size_t mark = text.find("://");
  if (mark == std::string_view::npos) return {};
  std::string scheme = in_small_letters(text.substr(0, mark));
  if (scheme != "http" && scheme != "https") return {};
  std::string_view host = text.substr(mark + 3);
  const std::string_view own_port = scheme == "http" ? ":80" : ":443";
  if (host.ends_with(own_port)) host.remove_suffix(own_port.size());
  Origin made{std::move(scheme), in_small_letters(host)};
  if (made.host.empty() || !std::ranges::all_of(made.host, is_of_a_host)) return {};
  return made;
}

std::string name_of_host(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return in_small_letters(host.substr(1, end == std::string_view::npos ? end : end - 1));
  }
  return in_small_letters(host.substr(0, host.find(':')));
}

}  // namespace ringwave::server
