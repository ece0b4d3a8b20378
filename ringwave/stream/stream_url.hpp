// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ringwave/stream/frame_header.hpp"

namespace ringwave::stream {

/// Where a server, or one of its stations, is:
///
///   http://host:port                              a server
///   http://host:port/?station=ID                  a station, as the page names it
///   ws://host:port/ws/stations/ID?codec=opus      a station, as the protocol names it
///
/// The scheme may be left out, and http and ws mean the same. IPv6 addresses stand in brackets.
struct StreamUrl {
  std::string host;  ///< without brackets
  std::uint16_t port = 80;
  std::string station = {};  ///< empty: the server is meant
  std::optional<FrameHeader::Codec> codec = {};
  std::string token = {};  ///< empty: none

  /// Throws InvalidArgument: one sentence, which shows no more of a long or unprintable text than it must.
  /// [any]
  [[nodiscard]] static StreamUrl parse(std::string_view text);

  /// host:port, as HTTP's Host says it. [any]
  [[nodiscard]] std::string authority() const;
  /// The path of the station's WebSocket. [any]
  [[nodiscard]] std::string socket_target(FrameHeader::Codec asked) const;
  /// 127.0.0.0/8, ::1 or localhost. [any]
  [[nodiscard]] bool is_loopback() const;

  friend bool operator==(const StreamUrl&, const StreamUrl&) = default;
};

/// 1 to 32 letters, digits, - and _. [any]
[[nodiscard]] bool is_station_id(std::string_view text) noexcept;

/// "opus" or "pcm". Throws InvalidArgument. [any]
[[nodiscard]] FrameHeader::Codec codec_of_name(std::string_view name);
[[nodiscard]] std::string_view to_string(FrameHeader::Codec codec) noexcept;

}  // namespace ringwave::stream
