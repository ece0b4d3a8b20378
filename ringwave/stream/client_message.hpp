// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "ringwave/stream/buffer_tier.hpp"

namespace ringwave::stream {

/// What a client may say over its WebSocket.
struct ChangeMessage {
  nlohmann::json settings;  ///< those that change, valid for settings_from()
};
struct PresetMessage {
  std::string name;
};
struct OwnMessage {
  std::string secret;
};
struct PingMessage {
  std::string id;  ///< as JSON
};
using ClientMessage =
    std::variant<ChangeMessage, PresetMessage, OwnMessage, BufferControl::Report, PingMessage>;

inline constexpr std::size_t kLargestClientMessage = 4096;  ///< bytes

/// Reads a message. It is UTF-8. Throws Refusal: bad_json, unknown_type, unknown_member, wrong_type,
/// out_of_range, unknown_name, too_large. [server]
[[nodiscard]] ClientMessage parse_client_message(std::string_view text);

}  // namespace ringwave::stream
