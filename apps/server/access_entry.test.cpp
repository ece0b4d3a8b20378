// SPDX-License-Identifier: Apache-2.0
#include "apps/server/access_entry.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

AccessEntry entry() {
  return {.address = *Address::from_text("192.0.2.1"),
          .began = AccessEntry::Time(std::chrono::seconds(784111777)),
          .method = "GET",
          .target = "/a?b",
          .protocol = "HTTP/1.1",
          .status = 200,
          .bytes = 5,
          .seconds = 0.25};
}

TEST(AccessEntry, IsALineOfTheCommonFormat) {
  EXPECT_EQ(text_of(entry(), AccessLogFormat::common),
            R"(192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] "GET /a?b HTTP/1.1" 200 5)");
  AccessEntry unread = entry();
  unread.method.clear();
  EXPECT_EQ(text_of(unread, AccessLogFormat::common),
            R"(192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] "-" 200 5)");
}

TEST(AccessEntry, IsAnObject) {
  const std::string text = text_of(entry(), AccessLogFormat::json);
  EXPECT_EQ(text, R"({"time":"1994-11-06T08:49:37Z","address":"192.0.2.1","method":"GET","target":"/a?b",)"
                  R"("protocol":"HTTP/1.1","status":200,"bytes":5,"seconds":0.25})");
}

TEST(AccessEntry, CannotBeMadeToLookLikeAnother) {
  AccessEntry odd = entry();
  odd.target = "/\" 200 5\n192.0.2.2 \\\xc2\x9b\xe2\x80\xae\xff";
  EXPECT_NE(
      text_of(odd, AccessLogFormat::common).find(R"(/\" 200 5\x0a192.0.2.2 \\\xc2\x9b\xe2\x80\xae\xff HTTP)"),
      std::string::npos);
  const std::string text = text_of(odd, AccessLogFormat::json);
  for (const char letter : text) EXPECT_TRUE(letter >= ' ' && letter <= '~') << text;
  EXPECT_EQ(nlohmann::json::parse(text)["status"], 200);
}

TEST(AccessEntry, HasNoSecret) {
  const AccessEntry made = AccessEntry::of({.method_name = "GET", .target = "/ws?token=abcdef"}, {});
  for (const AccessLogFormat format : {AccessLogFormat::common, AccessLogFormat::json})
    EXPECT_EQ(text_of(made, format).find("abcdef"), std::string::npos);
}

TEST(AccessEntry, HasFormatsWithNames) {
  EXPECT_EQ(access_log_format_of_name("off"), AccessLogFormat::off);
  EXPECT_EQ(access_log_format_of_name("json"), AccessLogFormat::json);
  EXPECT_THROW((void)access_log_format_of_name("combined"), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::server
