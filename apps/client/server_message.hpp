// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "apps/client/stream_client.hpp"

namespace ringwave::client {

/// Reads a text message of a server's and tells the events what concerns a listener; what is unknown, or no
/// JSON, is passed over. Throws DeviceUnavailable for an error after which the connection does not stay.
/// [setup]
void take_server_message(std::string_view text, StreamEvents& events);

/// The `buffer` message. [setup]
[[nodiscard]] std::string report_text(const stream::BufferControl::Report& report);

/// Without anything that a terminal would obey. [any]
[[nodiscard]] std::string printable(std::string text);

}  // namespace ringwave::client
