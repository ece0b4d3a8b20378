// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/websocket_parser.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace ringwave::stream {
namespace {

using Bytes = std::vector<std::byte>;
using Fault = WebSocketParser::Fault;
using Kind = WebSocketParser::Kind;

constexpr std::size_t kMost = 100000;

Bytes bytes_of(std::initializer_list<int> numbers, std::size_t more = 0) {
  Bytes made;
  for (const int number : numbers) made.push_back(static_cast<std::byte>(number));
  made.resize(made.size() + more);
  return made;
}

/// As a server sends it; `first` is the byte with the kind and whether it is the last part.
Bytes frame(int first, const std::string& payload) {
  const auto length = static_cast<int>(payload.size());
  Bytes made = length < 126 ? bytes_of({first, length})
               : length < 65536
                   ? bytes_of({first, 126, length >> 8, length & 255})
                   : bytes_of({first, 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255});
  for (const char letter : payload) made.push_back(static_cast<std::byte>(letter));
  return made;
}

Bytes operator+(Bytes one, const Bytes& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

using Seen = std::vector<std::pair<Kind, std::string>>;

/// What is in the bytes where every read brings so many of them.
Seen parse(WebSocketParser& parser, const Bytes& bytes, std::size_t at_once = kMost * 2) {
  Seen seen;
  std::span<const std::byte> rest(bytes);
  while (!rest.empty()) {
    const Bytes read(rest.begin(),
                     rest.begin() + static_cast<std::ptrdiff_t>(std::min(at_once, rest.size())));
    rest = rest.subspan(read.size());
    std::span<const std::byte> left(read);
    while (const auto message = parser.next(left))
      seen.emplace_back(message->kind, std::string(reinterpret_cast<const char*>(message->payload.data()),
                                                   message->payload.size()));
  }
  return seen;
}

Fault fault_of(const Bytes& bytes) {
  WebSocketParser parser(kMost);
  EXPECT_EQ(parse(parser, bytes), Seen{});
  return parser.fault();
}

TEST(WebSocketParser, GivesMessagesHoweverTheyAreCut) {
  const std::string middle(300, 'm');
  const std::string large(70000, 'l');
  const Bytes stream = frame(0x81, "hello") + frame(0x82, middle) + frame(0x82, "") + frame(0x89, "ping") +
                       frame(0x82, large) + frame(0x81, "end");
  const Seen expected{{Kind::text, "hello"}, {Kind::binary, middle}, {Kind::binary, ""},
                      {Kind::ping, "ping"},  {Kind::binary, large},  {Kind::text, "end"}};
  for (const std::size_t at_once :
       {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}, kMost}) {
    WebSocketParser parser(kMost);
    EXPECT_TRUE(parse(parser, stream, at_once) == expected) << at_once;  // too long to print
    EXPECT_EQ(parser.fault(), Fault::none);
  }
}

TEST(WebSocketParser, JoinsPartsAroundAPing) {
  const Bytes stream =
      frame(0x01, "one ") + frame(0x89, "?") + frame(0x00, "") + frame(0x00, "two ") + frame(0x80, "three");
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{3}, kMost}) {
    WebSocketParser parser(kMost);
    EXPECT_EQ(parse(parser, stream, at_once), (Seen{{Kind::ping, "?"}, {Kind::text, "one two three"}}));
  }
}

TEST(WebSocketParser, DoesNotCopyWhatIsWhole) {
  const Bytes stream = frame(0x82, "whole");
  WebSocketParser parser(kMost);
  std::span<const std::byte> left(stream);
  const auto message = parser.next(left);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->payload.data(), stream.data() + 2);
}

TEST(WebSocketParser, NothingFollowsAGoodbye) {
  WebSocketParser parser(kMost);
  EXPECT_EQ(parse(parser, frame(0x88, "\x03\xe8") + frame(0x81, "more")), (Seen{{Kind::close, "\x03\xe8"}}));
  EXPECT_TRUE(parser.is_closed());
  EXPECT_EQ(parser.fault(), Fault::none);
}

TEST(WebSocketParser, RefusesWhatAServerDoesNotSend) {
  EXPECT_EQ(fault_of(bytes_of({0x81, 0x85}, 9)), Fault::masked);
  EXPECT_EQ(fault_of(bytes_of({0xc1, 1}, 1)), Fault::reserved_bits);
  EXPECT_EQ(fault_of(bytes_of({0x83, 1}, 1)), Fault::unknown_kind);
  EXPECT_EQ(fault_of(bytes_of({0x8b, 1}, 1)), Fault::unknown_kind);
  EXPECT_EQ(fault_of(bytes_of({0x09, 1}, 1)), Fault::bad_control);
  EXPECT_EQ(fault_of(bytes_of({0x89, 126, 0, 126}, 126)), Fault::bad_control);
  EXPECT_EQ(fault_of(bytes_of({0x88, 1, 3})), Fault::bad_control);
  EXPECT_EQ(fault_of(bytes_of({0x82, 126, 0, 125}, 125)), Fault::bad_length);
  EXPECT_EQ(fault_of(bytes_of({0x82, 127, 0, 0, 0, 0, 0, 0, 255, 255})), Fault::bad_length);
  EXPECT_EQ(fault_of(bytes_of({0x80, 1}, 1)), Fault::bad_continuation);
  EXPECT_EQ(fault_of(bytes_of({0x02, 1, 1, 0x82, 1}, 1)), Fault::bad_continuation);
  EXPECT_NE(to_string(Fault::masked), to_string(Fault::none));
}

TEST(WebSocketParser, AMessageIsNoLargerThanAllowed) {
  EXPECT_EQ(fault_of(bytes_of({0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255})), Fault::too_large);
  EXPECT_EQ(fault_of(bytes_of({0x82, 127, 0, 0, 0, 0, 0, 1, 0x86, 0xa1})), Fault::too_large);
  const std::string half(kMost / 2, 'h');
  EXPECT_EQ(fault_of(frame(0x02, half) + frame(0x00, half) + frame(0x80, "h")), Fault::too_large);
  WebSocketParser parser(kMost);
  EXPECT_EQ(parse(parser, frame(0x02, half) + frame(0x80, half)).size(), 1U);
}

TEST(WriteClientFrame, IsMaskedAndComesBack) {
  for (const std::size_t length : {0U, 1U, 5U, 125U, 126U, 4000U, 65535U}) {
    const Bytes payload(length, std::byte{'x'});
    Bytes out(length + kMostClientHeadBytes);
    const std::size_t bytes = write_client_frame(Kind::text, payload, 0xa1b2c3d4, out);
    ASSERT_EQ(bytes, length + (length < 126 ? 6 : 8));
    EXPECT_EQ(out[0], std::byte{0x81});
    EXPECT_NE(out[1] & std::byte{0x80}, std::byte{0});
    const std::size_t head = bytes - length;
    for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(out[head + i] ^ out[head - 4 + i % 4], std::byte{'x'});
  }
}

TEST(WriteClientFrame, WritesNothingWhereItDoesNotFit) {
  Bytes out(10);
  EXPECT_EQ(write_client_frame(Kind::text, Bytes(5), 1, out), 0U);
  EXPECT_EQ(write_client_frame(Kind::text, Bytes(4), 1, out), 10U);
  Bytes large(70000);
  EXPECT_EQ(write_client_frame(Kind::text, Bytes(65536), 1, large), 0U);
}

}  // namespace
}  // namespace ringwave::stream
