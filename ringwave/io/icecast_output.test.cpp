// SPDX-License-Identifier: Apache-2.0
// The connection itself is tested with a real Icecast in tests/system/test_icecast.py.
#include "ringwave/io/icecast_output.hpp"

#include <gtest/gtest.h>

#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

TEST(IcecastAddress, HasItsParts) {
  const auto whole = IcecastAddress::parse("icecast://me:secret@radio.example:8001/a/night.mp3");
  EXPECT_EQ(whole.user, "me");
  EXPECT_EQ(whole.password, "secret");
  EXPECT_EQ(whole.host, "radio.example");
  EXPECT_EQ(whole.port, 8001);
  EXPECT_EQ(whole.mount, "/a/night.mp3");
  EXPECT_EQ(whole.format, StreamFormat::mp3);
  EXPECT_EQ(whole.text(), "icecast://radio.example:8001/a/night.mp3");
  const auto brief = IcecastAddress::parse("icecast://secret@localhost/x.opus");
  EXPECT_EQ(brief.user, "source");
  EXPECT_EQ(brief.port, 8000);
  EXPECT_EQ(brief.format, StreamFormat::ogg_opus);
}

TEST(IcecastAddress, RefusesWhatIsNoneWithoutTellingThePassword) {
  for (const std::string url :
       {"", "http://secret@h/x.opus", "icecast://h/x.opus", "icecast://secret@h", "icecast://secret@h/x.wav",
        "icecast://secret@h/x", "icecast://secret@h:0/x.opus", "icecast://secret@h:80x/x.opus",
        "icecast://secret@h:99999/x.opus", "icecast://secret@/x.opus", "icecast://secret@h/x y.opus",
        "icecast://secret@h/x\r\nHost: y.opus"}) {
    try {
      (void)IcecastAddress::parse(url);
      ADD_FAILURE() << url;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
    }
  }
}

TEST(IcecastOutput, SaysWhyNobodyTakesTheStream) {
  IcecastAddress address = IcecastAddress::parse("icecast://secret@127.0.0.1:1/x.opus");
  try {
    const IcecastOutput output(address, "x");
    ADD_FAILURE();
  } catch (const DeviceUnavailable& error) {
    EXPECT_NE(std::string(error.what()).find("libshout3"), std::string::npos) << error.what();
    GTEST_SKIP() << error.what();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("icecast://127.0.0.1:1/x.opus"), std::string::npos);
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace ringwave::io
