// SPDX-License-Identifier: Apache-2.0
#include "apps/server/log_text.hpp"

#include <gtest/gtest.h>

namespace ringwave::server {
namespace {

using namespace std::string_literals;

TEST(LogText, ShowsWhatCanBeSeen) {
  for (const char* text :
       {"", "GET /a?b=c \"x\"", "gr\xc3\xbc\xc3\x9f", "\xe9\x9f\xb3\xe6\xa5\xbd", "\xf0\x9f\x8e\xb5"})
    EXPECT_EQ(printable(text), text);
}

TEST(LogText, WritesControlsOfAllKindsAsNumbers) {
  EXPECT_EQ(printable("a\0b\r\n\t\x1b[2J\x7f"s), R"(a\x00b\x0d\x0a\x09\x1b[2J\x7f)");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m\xc2\x85"),
            R"(\xc2\x9b31m\xc2\x85)");
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "gpj.exe\xe2\x81\xa6"),
            R"(\xe2\x80\xaegpj.exe\xe2\x81\xa6)");
  EXPECT_EQ(printable("\xd8\x9c\xe2\x80\x8b\xe2\x80\xa8\xef\xbb\xbf\xf3\xa0\x80\x81"),
            R"(\xd8\x9c\xe2\x80\x8b\xe2\x80\xa8\xef\xbb\xbf\xf3\xa0\x80\x81)");
}

TEST(LogText, WritesWhatIsNoTextAsNumbers) {
  EXPECT_EQ(printable("\xff\xfe"), R"(\xff\xfe)");
  EXPECT_EQ(printable("\xc0\xaf\xe0\x80\xaf"), R"(\xc0\xaf\xe0\x80\xaf)");
  EXPECT_EQ(printable("\xed\xa0\x80\xf4\x90\x80\x80"), R"(\xed\xa0\x80\xf4\x90\x80\x80)");
  EXPECT_EQ(printable("\xe9\x9f"), R"(\xe9\x9f)");
  EXPECT_EQ(printable("\xc3(\xc3"), R"(\xc3(\xc3)");
  for (int lead = 0x80; lead < 0x100; ++lead)
    for (const char* rest : {"", "\x1b", "\x80\x1b", "\x80\x80\x1b", "\x80\x80\x80\x1b"}) {
      const std::string shown = printable(std::string(1, static_cast<char>(lead)) + rest);
      EXPECT_EQ(shown.find('\x1b'), std::string::npos) << lead;
    }
}

TEST(LogText, HasNoSecrets) {
  EXPECT_EQ(without_secrets("/a/token?codec=opus&token=abc&x=y"), "/a/token?codec=opus&token=***&x=y");
  EXPECT_EQ(without_secrets("/?TOKEN=abc&%74oken=abc&my_secret=a=b&admin-token="),
            "/?TOKEN=***&%74oken=***&my_secret=***&admin-token=***");
  EXPECT_EQ(without_secrets("/?token&a=token"), "/?token&a=token");
  EXPECT_EQ(without_secrets("/?a=b?token=c&&token=d?"), "/?a=b?token=c&&token=***");
  EXPECT_EQ(without_secrets("*"), "*");
}

}  // namespace
}  // namespace ringwave::server
