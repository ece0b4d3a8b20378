// SPDX-License-Identifier: Apache-2.0
#include "apps/client/load_listener.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "ringwave/stream/frame_header.hpp"

namespace ringwave::client {
namespace {

using stream::FrameHeader;
using stream::OggPageParser;
using stream::WebSocketParser;

constexpr std::size_t kMostMessageBytes = 1 << 20;
constexpr std::uint32_t kMask = 0x5a5aa5a5;  // against proxies that look inside, of which there are none here

}  // namespace

LoadListener::LoadListener(SocketHandle socket, LoadFormat format, stream::DelayHistogram& lateness,
                           Time asked_at)
    : socket_(std::move(socket)), reception_(lateness) {
  if (format == LoadFormat::socket) parser_.emplace<WebSocketParser>(kMostMessageBytes);
  if (format == LoadFormat::ogg_opus) parser_.emplace<OggPageParser>();
  reception_.connect(asked_at);
}

bool LoadListener::take(std::span<const std::byte> bytes, Time at) {
  bytes_ += bytes.size();
  if (auto* messages = std::get_if<WebSocketParser>(&parser_)) return take_messages(*messages, bytes, at);
  if (auto* pages = std::get_if<OggPageParser>(&parser_)) take_pages(*pages, bytes, at);
  return true;
}

bool LoadListener::hears() const noexcept {
  return std::holds_alternative<std::monostate>(parser_) ? bytes_ > 0 : reception_.frames() > 0;
}

bool LoadListener::take_messages(WebSocketParser& parser, std::span<const std::byte> bytes, Time at) {
  while (const auto message = parser.next(bytes)) {
    if (message->kind == WebSocketParser::Kind::ping) send(WebSocketParser::Kind::pong, message->payload);
    if (message->kind != WebSocketParser::Kind::binary) continue;
    const auto header = FrameHeader::parse(message->payload);
    if (!header) {
      fault_ = "a message that is no frame";
      return false;
    }
    reception_.receive({.sequence = header->sequence,
                        .sample_time = header->sample_time,
                        .bytes = message->payload.size(),
                        .is_discontinuous = (header->flags & FrameHeader::kDiscontinuous) != 0,
                        .at = at});
  }
  if (parser.fault() != WebSocketParser::Fault::none) fault_ = to_string(parser.fault());
  return fault_.empty() && !parser.is_closed();
}

/// A page is made when its end is: that is its time. The two with the headers are none of the stream's, which
/// begins anywhere.
void LoadListener::take_pages(OggPageParser& parser, std::span<const std::byte> bytes, Time at) {
  while (const auto page = parser.next(bytes)) {
    if (page->begins_stream && reception_.frames() > 0) {
      reception_.connect(at);
      begins_anew_ = true;
    }
    if (page->position == 0 || page->position == OggPageParser::kNoPosition) continue;
    const std::uint64_t length = page->position - std::exchange(page_position_, page->position);
    reception_.receive({.sequence = page->sequence,
                        .sample_time = page->position,
                        .frames = static_cast<std::uint32_t>(std::min<std::uint64_t>(length, 48000)),
                        .bytes = page->bytes,
                        .is_discontinuous = std::exchange(begins_anew_, false),
                        .at = at});
  }
}

void LoadListener::report(Time now) {
  if (!std::holds_alternative<WebSocketParser>(parser_) || reception_.frames() == 0) return;
  std::array<char, 128> text{};
  const int length = std::snprintf(
      text.data(), text.size(), R"({"type":"buffer","depth_seconds":%.3f,"jitter_ms":%.3f,"underruns":0})",
      std::min(10.0, reception_.depth_seconds(now)), std::min(1000.0, reception_.jitter_seconds() * 1000));
  send(WebSocketParser::Kind::text, std::as_bytes(std::span(text).first(static_cast<std::size_t>(length))));
}

/// What does not fit the kernel's buffer at once would be torn: a server that takes nothing gets nothing
/// more.
void LoadListener::send(WebSocketParser::Kind kind, std::span<const std::byte> payload) noexcept {
  std::array<std::byte, WebSocketParser::kMostControlBytes + stream::kMostClientHeadBytes> frame{};
  const std::size_t bytes = stream::write_client_frame(kind, payload, kMask, frame);
  const ssize_t sent = ::send(socket_.number(), frame.data(), bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent >= 0 && static_cast<std::size_t>(sent) < bytes) shutdown(socket_.number(), SHUT_WR);
}

}  // namespace ringwave::client
