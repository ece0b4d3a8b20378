// SPDX-License-Identifier: Apache-2.0
#include "apps/server/page_access.hpp"

#include <gtest/gtest.h>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

PageAccess access() {
  ServerConfig config;
  config.allowed_origins = {"https://Radio.example", "http://plain.example:8000"};
  config.server_names = {"Music.example"};
  return {config, {"mybox", "mybox.local"}};
}

template <class Check>
bool allows(Check check) {
  try {
    check();
    return true;
  } catch (const stream::Refusal& refusal) {
    EXPECT_EQ(refusal.code(), stream::RefusalCode::forbidden);
    return false;
  }
}

bool allows_host(const std::string& host) {
  Request request;
  request.host = host;
  return allows([&] { access().require_host(request); });
}

bool allows_origin(const std::string& host, const std::string& origin, bool is_https = false) {
  Request request;
  request.host = host;
  request.origin = origin;
  request.is_https = is_https;
  return allows([&] { access().require_origin(request); });
}

bool allows_site(Request request) {
  return allows([&] { access().require_site(request); });
}

TEST(PageAccess, IsByTheServersNames) {
  for (const char* host :
       {"", "127.0.0.1:8080", "192.168.1.7", "[::1]:80", "LOCALHOST:8080", "a.localhost", "mybox:8080",
        "MyBox.local", "music.example", "MUSIC.example:80", "radio.example", "plain.example"})
    EXPECT_TRUE(allows_host(host)) << host;
  for (const char* host :
       {"evil.example:8080", "localhost.evil.example", "mybox.evil.example", "127.0.0.1.evil.example",
        "xlocalhost", "music.example.", "1", "0x7f000001", "sub.music.example", "127.1"})
    EXPECT_FALSE(allows_host(host)) << host;
}

TEST(PageAccess, IsForTheOwnPageAndThoseThatAreNamed) {
  EXPECT_TRUE(allows_origin("127.0.0.1:8080", ""));
  EXPECT_TRUE(allows_origin("127.0.0.1:8080", "http://127.0.0.1:8080"));
  EXPECT_TRUE(allows_origin("LOCALHOST:8080", "http://localhost:8080"));
  EXPECT_TRUE(allows_origin("localhost", "http://localhost"));
  EXPECT_TRUE(allows_origin("localhost:80", "http://localhost"));
  EXPECT_TRUE(allows_origin("box:443", "https://box", true));
  EXPECT_TRUE(allows_origin("127.0.0.1:8080", "https://radio.example"));
  EXPECT_TRUE(allows_origin("127.0.0.1:8080", "https://radio.example:443"));
  EXPECT_TRUE(allows_origin("x", "http://plain.example:8000"));
  for (const char* origin :
       {"http://127.0.0.1:8081", "https://127.0.0.1:8080", "null", "file://", "http://127.0.0.1",
        "http://radio.example", "https://radio.example:444", "https://radio.example.evil.example",
        "http://plain.example", "https://plain.example:8000"})
    EXPECT_FALSE(allows_origin("127.0.0.1:8080", origin)) << origin;
  EXPECT_FALSE(allows_origin("box", "http://box", true));
  EXPECT_FALSE(allows_origin("box", "https://box"));
  EXPECT_FALSE(allows_origin("", "http://"));
}

TEST(PageAccess, IsNotForWhatAnotherSiteEmbeds) {
  for (const char* site : {"", "none", "same-origin"}) EXPECT_TRUE(allows_site({.fetch_site = site})) << site;
  for (const char* site : {"cross-site", "same-site", "later words"})
    EXPECT_FALSE(allows_site({.fetch_site = site})) << site;
  EXPECT_TRUE(allows_site({.method = Method::get, .fetch_site = "cross-site", .is_navigation = true}));
  EXPECT_FALSE(allows_site({.method = Method::post, .fetch_site = "cross-site", .is_navigation = true}));
  EXPECT_TRUE(allows_site({.origin = "https://radio.example", .fetch_site = "cross-site"}));
  EXPECT_TRUE(allows_site({.referer = "https://radio.example/a?b", .fetch_site = "cross-site"}));
  EXPECT_TRUE(allows_site({.referer = "https://radio.example", .fetch_site = "cross-site"}));
  EXPECT_FALSE(
      allows_site({.origin = "null", .referer = "https://radio.example/", .fetch_site = "cross-site"}));
  for (const char* page :
       {"https://evil.example/", "https://evil.example/https://radio.example/", "radio.example",
        "https://radio.example@evil.example/", "http://radio.example/", "://"})
    EXPECT_FALSE(allows_site({.referer = page, .fetch_site = "cross-site"})) << page;
}

TEST(PageAccess, KnowsThisMachine) {
  const auto names = names_of_this_machine(true);
  ASSERT_GE(names.size(), 3U);
  EXPECT_EQ(names[0].substr(0, names[1].size()), names[1]);
  EXPECT_EQ(names[2], names[1] + ".local");
}

}  // namespace
}  // namespace ringwave::server
