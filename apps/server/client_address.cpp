// SPDX-License-Identifier: Apache-2.0
#include "apps/server/client_address.hpp"

#include <algorithm>
#include <string>

#include "apps/server/request_head.hpp"

namespace ringwave::server {
namespace {

bool is_port(std::string_view text) {
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  return !text.empty() && text.size() <= 5 && std::ranges::all_of(text, is_digit);
}

/// The part behind the last comma, which the text loses together with the comma.
std::string_view take_last(std::string_view& text, bool& is_more) {
  const std::size_t comma = text.rfind(',');
  is_more = comma != std::string_view::npos;
  const std::string_view last = is_more ? text.substr(comma + 1) : text;
  text = text.substr(0, is_more ? comma : 0);
  return trimmed(last);
}

}  // namespace

std::optional<Address> forwarded_address(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return {};
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && !(rest.starts_with(':') && is_port(rest.substr(1)))) return {};
    const std::string inner(text.substr(1, end - 1));
    return inner.find(':') == std::string::npos ? std::nullopt : Address::from_text(inner);
  }
  const std::size_t colon = text.find(':');
  const bool has_port = colon != std::string_view::npos && text.rfind(':') == colon;
  if (has_port && !is_port(text.substr(colon + 1))) return {};
  return Address::from_text(std::string(has_port ? text.substr(0, colon) : text));
}

Address client_address(const Address& peer, std::span<const std::string_view> forwarded_for) {
  if (!peer.is_loopback()) return peer;
  for (std::size_t line = forwarded_for.size(); line-- > 0;) {
    std::string_view rest = forwarded_for[line];
    for (bool is_more = true; is_more;) {
      const Address address = forwarded_address(take_last(rest, is_more)).value_or(Address::unknown());
      if (!address.is_loopback()) return address;
    }
  }
  return peer;
}

}  // namespace ringwave::server
