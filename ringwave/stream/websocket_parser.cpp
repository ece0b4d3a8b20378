// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/websocket_parser.hpp"

#include <algorithm>

namespace ringwave::stream {
namespace {

constexpr unsigned kLastBit = 0x80;
constexpr unsigned kReservedBits = 0x70;
constexpr unsigned kKindBits = 0x0f;
constexpr unsigned kMaskBit = 0x80;
constexpr unsigned kLengthBits = 0x7f;
constexpr unsigned kTwoBytes = 126;  // the length is in the next two bytes
constexpr unsigned kEightBytes = 127;

unsigned number(std::byte byte) noexcept {
  return std::to_integer<unsigned>(byte);
}

bool is_control(WebSocketParser::Kind kind) noexcept {
  return static_cast<unsigned>(kind) >= static_cast<unsigned>(WebSocketParser::Kind::close);
}

bool is_known(unsigned kind) noexcept {
  return kind <= 2 || (kind >= 8 && kind <= 10);
}

}  // namespace

std::nullopt_t WebSocketParser::fail(Fault fault) noexcept {
  fault_ = fault;
  return std::nullopt;
}

/// As far as it can be told from what is there.
std::size_t WebSocketParser::head_bytes() const noexcept {
  if (head_taken_ < 2) return 2;
  const unsigned length = number(head_[1]) & kLengthBits;
  return length == kEightBytes ? 10 : length == kTwoBytes ? 4 : 2;
}

bool WebSocketParser::take_head(std::span<const std::byte>& bytes) noexcept {
  while (head_taken_ < head_bytes()) {
    if (bytes.empty()) return false;
    head_[head_taken_++] = bytes.front();
    bytes = bytes.subspan(1);
  }
  return true;
}

std::optional<WebSocketParser::Frame> WebSocketParser::read_head() noexcept {
  const unsigned first = number(head_[0]);
  const unsigned second = number(head_[1]);
  if ((first & kReservedBits) != 0) return fail(Fault::reserved_bits);
  if ((second & kMaskBit) != 0) return fail(Fault::masked);
  if (!is_known(first & kKindBits)) return fail(Fault::unknown_kind);
  std::uint64_t length = second & kLengthBits;
  if (const std::size_t bytes = head_bytes(); bytes > 2) {
    length = 0;
    for (std::size_t i = 2; i < bytes; ++i) length = length << 8U | number(head_[i]);
    if (length < kTwoBytes || (bytes > 4 && length <= 0xffff)) return fail(Fault::bad_length);
  }
  Frame frame{.kind = static_cast<Kind>(first & kKindBits),
              .is_last = (first & kLastBit) != 0,
              .continues = (first & kKindBits) == 0,
              .bytes = static_cast<std::size_t>(length)};
  if (const Fault wrong = check(frame); wrong != Fault::none) return fail(wrong);
  if (frame.continues) frame.kind = *kind_;
  return frame;
}

WebSocketParser::Fault WebSocketParser::check(const Frame& frame) const noexcept {
  if (is_control(frame.kind)) {
    const bool half_a_code = frame.kind == Kind::close && frame.bytes == 1;
    return !frame.is_last || frame.bytes > kMostControlBytes || half_a_code ? Fault::bad_control
                                                                            : Fault::none;
  }
  if (frame.continues != kind_.has_value()) return Fault::bad_continuation;
  return frame.bytes > most_bytes_ - message_.size() ? Fault::too_large : Fault::none;
}

std::optional<WebSocketParser::Message> WebSocketParser::control(std::span<const std::byte>& bytes) noexcept {
  const auto part = bytes.first(std::min(missing_, bytes.size()));
  std::ranges::copy(part, control_.begin() + static_cast<std::ptrdiff_t>(control_taken_));
  control_taken_ += part.size();
  missing_ -= part.size();
  bytes = bytes.subspan(part.size());
  if (missing_ > 0) return {};
  const Message message{.kind = frame_->kind, .payload = std::span(control_).first(control_taken_)};
  closed_ = message.kind == Kind::close;
  frame_.reset();
  return message;
}

std::optional<WebSocketParser::Message> WebSocketParser::data(std::span<const std::byte>& bytes) {
  const Kind kind = frame_->kind;
  const bool is_last = frame_->is_last;
  const auto part = bytes.first(std::min(missing_, bytes.size()));
  bytes = bytes.subspan(part.size());
  missing_ -= part.size();
  if (missing_ == 0) {
    frame_.reset();
    kind_ = is_last ? std::nullopt : std::optional(kind);
    if (is_last && message_.empty()) return Message{kind, part};
  }
  message_.insert(message_.end(), part.begin(), part.end());
  if (missing_ > 0 || !is_last) return {};
  given_ = true;
  return Message{kind, message_};
}

/// A long one's memory is not kept: among thousands of connections that adds up.
void WebSocketParser::forget_message() noexcept {
  constexpr std::size_t kKeptBytes = 4096;
  if (message_.capacity() > kKeptBytes) std::vector<std::byte>().swap(message_);
  message_.clear();
  given_ = false;
}

std::optional<WebSocketParser::Message> WebSocketParser::next(std::span<const std::byte>& bytes) {
  if (given_) forget_message();
  while (fault_ == Fault::none && !closed_) {
    if (!frame_) {
      if (!take_head(bytes)) return {};
      frame_ = read_head();
      head_taken_ = 0;
      if (!frame_) return {};
      missing_ = frame_->bytes;
      control_taken_ = 0;
    }
    if (missing_ > 0 && bytes.empty()) return {};
    if (const auto message = is_control(frame_->kind) ? control(bytes) : data(bytes)) return message;
  }
  return {};
}

std::string_view to_string(WebSocketParser::Fault fault) noexcept {
  switch (fault) {
    case WebSocketParser::Fault::none:
      break;
    case WebSocketParser::Fault::masked:
      return "a masked frame";
    case WebSocketParser::Fault::reserved_bits:
      return "a frame of an unknown extension";
    case WebSocketParser::Fault::unknown_kind:
      return "a frame of an unknown kind";
    case WebSocketParser::Fault::bad_control:
      return "a control frame that is cut or too long";
    case WebSocketParser::Fault::bad_length:
      return "a length that is not in its shortest form";
    case WebSocketParser::Fault::too_large:
      return "a message that is too large";
    case WebSocketParser::Fault::bad_continuation:
      return "parts of messages in a wrong order";
  }
  return "no fault";
}

std::size_t write_client_frame(WebSocketParser::Kind kind, std::span<const std::byte> payload,
                               std::uint32_t mask, std::span<std::byte> out) noexcept {
  const std::size_t length = payload.size();
  const std::size_t head = length < kTwoBytes ? 2 : 4;
  if (length > 0xffff || out.size() < head + 4 + length) return 0;
  out[0] = static_cast<std::byte>(kLastBit | static_cast<unsigned>(kind));
  out[1] = static_cast<std::byte>(kMaskBit | (head == 2 ? length : kTwoBytes));
  if (head == 4) {
    out[2] = static_cast<std::byte>(length >> 8U);
    out[3] = static_cast<std::byte>(length);
  }
  std::array<std::byte, 4> key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(mask >> (8 * i));
  std::ranges::copy(key, out.begin() + static_cast<std::ptrdiff_t>(head));
  for (std::size_t i = 0; i < length; ++i) out[head + 4 + i] = payload[i] ^ key[i % 4];
  return head + 4 + length;
}

}  // namespace ringwave::stream
