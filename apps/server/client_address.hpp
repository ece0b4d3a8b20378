// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "apps/server/address.hpp"

namespace ringwave::server {

/// Who asks, where a proxy on this machine passes requests on: the last address in the lines of
/// X-Forwarded-For that is not of this machine. What stands before it was written by others.
///
/// Without any line it is the peer, and also where it is not of this machine itself: it is then no proxy of
/// ours. Where the last address cannot be read it is Address::unknown(): all of those share what one may
/// have, and nobody gets the freedom of this machine by a proxy that hides addresses. [any]
[[nodiscard]] Address client_address(const Address& peer, std::span<const std::string_view> forwarded_for);

/// An address as proxies write it: 9.9.9.9, 9.9.9.9:4711, 2001:db8::1, [2001:db8::1], [2001:db8::1]:4711.
/// Nothing for what is none. [any]
[[nodiscard]] std::optional<Address> forwarded_address(std::string_view text);

}  // namespace ringwave::server
