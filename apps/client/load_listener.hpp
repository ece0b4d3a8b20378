// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "apps/client/load_format.hpp"
#include "apps/client/socket_handle.hpp"
#include "ringwave/stream/ogg_page_parser.hpp"
#include "ringwave/stream/reception.hpp"
#include "ringwave/stream/websocket_parser.hpp"

namespace ringwave::client {

/// One of thousands of listeners: looks at what comes, keeps no sound. About 2 KB.
class LoadListener {
 public:
  using Time = stream::Reception::Time;

  /// `lateness` as for Reception. [setup]
  LoadListener(SocketHandle socket, LoadFormat format, stream::DelayHistogram& lateness, Time asked_at);

  /// What came at a time; answers pings. False where the stream is over. [any]
  bool take(std::span<const std::byte> bytes, Time at);

  /// Tells a WebSocket's server what a player would have in hand, as the protocol wants it every few seconds.
  /// [any]
  void report(Time now);

  void finish() noexcept { reception_.finish(); }
  [[nodiscard]] int socket() const noexcept { return socket_.number(); }
  [[nodiscard]] const stream::Reception& reception() const noexcept { return reception_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  /// Sound has come. [any]
  [[nodiscard]] bool hears() const noexcept;
  /// Why take() was false; empty where the server said goodbye. [any]
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

 private:
  bool take_messages(stream::WebSocketParser& parser, std::span<const std::byte> bytes, Time at);
  void take_pages(stream::OggPageParser& parser, std::span<const std::byte> bytes, Time at);
  void send(stream::WebSocketParser::Kind kind, std::span<const std::byte> payload) noexcept;

  SocketHandle socket_;
  stream::Reception reception_;
  std::variant<std::monostate, stream::WebSocketParser, stream::OggPageParser> parser_;
  std::uint64_t bytes_ = 0;
  std::uint64_t page_position_ = 0;  // of the page before
  bool begins_anew_ = false;         // the next page is of another Ogg stream
  std::string fault_;
};

}  // namespace ringwave::client
