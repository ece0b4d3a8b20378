// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/stream_url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::stream {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string refusal_of(const std::string& text) {
  try {
    (void)StreamUrl::parse(text);
  } catch (const InvalidArgument& refused) {
    return refused.what();
  }
  return "taken: " + text;
}

TEST(StreamUrl, NamesAServer) {
  const StreamUrl expected{.host = "127.0.0.1", .port = 8080};
  for (const char* text : {"http://127.0.0.1:8080", "http://127.0.0.1:8080/", "HTTP://127.0.0.1:8080",
                           "127.0.0.1:8080", "ws://127.0.0.1:8080/#top"})
    EXPECT_EQ(StreamUrl::parse(text), expected) << text;
  EXPECT_EQ(StreamUrl::parse("http://music.example").port, 80);
  EXPECT_EQ(StreamUrl::parse("music.example").host, "music.example");
}

TEST(StreamUrl, NamesAStation) {
  const auto url = StreamUrl::parse("ws://localhost:9/ws/stations/k3_v-9?codec=opus&token=a.b+c/d=");
  EXPECT_EQ(url.station, "k3_v-9");
  EXPECT_EQ(url.codec, FrameHeader::Codec::opus);
  EXPECT_EQ(url.token, "a.b+c/d=");
  EXPECT_EQ(url.socket_target(FrameHeader::Codec::pcm), "/ws/stations/k3_v-9?codec=pcm");
  EXPECT_EQ(StreamUrl::parse("http://localhost:9/?station=abc").station, "abc");
  EXPECT_EQ(StreamUrl::parse("localhost:9?station=abc").station, "abc");
}

TEST(StreamUrl, KnowsAddressesOfBothKinds) {
  const auto url = StreamUrl::parse("ws://[::1]:8080/ws/stations/a");
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.authority(), "[::1]:8080");
  EXPECT_TRUE(url.is_loopback());
  EXPECT_EQ(StreamUrl::parse("[2001:db8::2]").authority(), "[2001:db8::2]:80");
  EXPECT_EQ(StreamUrl::parse("10.0.0.1:1").authority(), "10.0.0.1:1");
}

TEST(StreamUrl, KnowsWhatIsThisMachine) {
  for (const char* text : {"localhost:1", "127.0.0.1", "127.8.9.10:80", "[::1]"})
    EXPECT_TRUE(StreamUrl::parse(text).is_loopback()) << text;
  for (const char* text :
       {"127.0.0.1.example.org", "10.0.0.1", "localhost.example.org", "[::2]", "1.127.0.0"})
    EXPECT_FALSE(StreamUrl::parse(text).is_loopback()) << text;
}

TEST(StreamUrl, RefusesWithASentence) {
  EXPECT_THAT(refusal_of("http://h:1/stream/a.mp3"), HasSubstr("any player"));
  EXPECT_THAT(refusal_of("https://h/"), HasSubstr("TLS"));
  EXPECT_THAT(refusal_of("ftp://h/"), HasSubstr("http://"));
  EXPECT_THAT(refusal_of("http://u:p@h/"), HasSubstr("--token"));
  for (const char* text :
       {"http://h:0", "http://h:65536", "http://h:", "http://h:80x", "http://h:-1", "::1", "[::1"})
    EXPECT_THAT(refusal_of(text), HasSubstr("65535")) << text;
  for (const char* text : {"", "http://", "http:///ws/stations/a", ":80"})
    EXPECT_THAT(refusal_of(text), HasSubstr("no host")) << text;
  for (const char* text : {"[]", "[::1]x", "[x:80"}) EXPECT_THAT(refusal_of(text), HasSubstr("bracket"));
  for (const char* text : {"http://h/ws/stations/", "http://h/ws/stations/a/b", "http://h/ws/stations/%2e",
                           "http://h/ws/stations/../x", "http://h/?station=a.b"})
    EXPECT_THAT(refusal_of(text), HasSubstr("1 to 32")) << text;
  EXPECT_THAT(refusal_of("http://h/api/stations"), HasSubstr("path"));
  EXPECT_THAT(refusal_of("http://h/?codec=mp3"), HasSubstr("opus or pcm"));
  EXPECT_THAT(refusal_of("http://h/?volume=11"), HasSubstr("'volume'"));
  EXPECT_THAT(refusal_of("http://h/ws/stations/a?token=secret!"), Not(HasSubstr("secret")));
}

TEST(StreamUrl, HostileTextsAreShownTamely) {
  EXPECT_THAT(refusal_of("http://h\x1b[31m/\r\nHost: x"), Not(testing::ContainsRegex("[\x01-\x1f]")));
  EXPECT_LT(refusal_of(std::string(100000, 'x')).size(), 400U);
  EXPECT_LT(refusal_of("http://" + std::string(300, 'x')).size(), 400U);
  EXPECT_THAT(refusal_of(std::string("http://h\0/", 10)), HasSubstr("letter"));
}

}  // namespace
}  // namespace ringwave::stream
