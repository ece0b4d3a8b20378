// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ringwave::client {

/// How load's listeners hear a station.
enum class LoadFormat : unsigned char {
  socket,    ///< the WebSocket's messages
  ogg_opus,  ///< plain HTTP, Ogg Opus: pages are what is counted
  mp3,       ///< plain HTTP, MP3: only its bytes are counted
};

/// "ws", "http-opus" or "http-mp3". Throws InvalidArgument. [setup]
[[nodiscard]] LoadFormat load_format_of_name(std::string_view name);
[[nodiscard]] std::string_view to_string(LoadFormat format) noexcept;

}  // namespace ringwave::client
