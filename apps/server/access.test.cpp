// SPDX-License-Identifier: Apache-2.0
#include "apps/server/access.hpp"

#include <gtest/gtest.h>

#include "apps/server/address.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

bool allows(const Access& access, const std::string& host, const std::string& origin) {
  Request request;
  request.host = host;
  request.origin = origin;
  try {
    access.require_host(request);
    access.require_origin(request);
    return true;
  } catch (const stream::Refusal&) {
    return false;
  }
}

TEST(Access, IsForTheOwnPageAndThoseThatAreNamed) {
  ServerConfig config;
  config.allowed_origins = {"https://Radio.example"};
  const Access access(config);
  EXPECT_TRUE(allows(access, "127.0.0.1:8080", ""));
  EXPECT_TRUE(allows(access, "127.0.0.1:8080", "http://127.0.0.1:8080"));
  EXPECT_TRUE(allows(access, "LOCALHOST:8080", "http://localhost:8080"));
  EXPECT_TRUE(allows(access, "127.0.0.1:8080", "https://radio.example"));
  EXPECT_TRUE(allows(access, "radio.example", "https://radio.example"));
  EXPECT_FALSE(allows(access, "127.0.0.1:8080", "http://127.0.0.1:8081"));
  EXPECT_FALSE(allows(access, "127.0.0.1:8080", "null"));
  EXPECT_FALSE(allows(access, "127.0.0.1:8080", "file://"));
}

TEST(Access, DoesNotBelieveANameThatWasMadeToLeadHere) {
  ServerConfig config;
  EXPECT_FALSE(allows(Access(config), "evil.example:8080", "http://evil.example:8080"));
  config.host = "0.0.0.0";
  EXPECT_TRUE(allows(Access(config), "mybox:8080", "http://mybox:8080"));
}

TEST(Access, ComparesSecretsToTheLastLetter) {
  EXPECT_TRUE(is_same_secret("0123456789abcdef", "0123456789abcdef"));
  EXPECT_FALSE(is_same_secret("0123456789abcdef", "0123456789abcdeg"));
  EXPECT_FALSE(is_same_secret("abab", "ab"));
  EXPECT_FALSE(is_same_secret("ab", "abab"));
  EXPECT_FALSE(is_same_secret("ab", ""));
  EXPECT_FALSE(is_same_secret("", "a"));
}

TEST(Address, KnowsThisMachineAndTheNetworkOfACustomer) {
  EXPECT_TRUE(Address::from_text("127.0.0.2")->is_loopback());
  EXPECT_TRUE(Address::from_text("::1")->is_loopback());
  EXPECT_TRUE(Address::from_text("::ffff:127.0.0.1")->is_loopback());
  EXPECT_FALSE(Address::from_text("10.0.0.1")->is_loopback());
  EXPECT_FALSE(Address::from_text("::2")->is_loopback());
  EXPECT_EQ(Address::from_text("2001:db8::1")->limited(), Address::from_text("2001:db8::ffff")->limited());
  EXPECT_FALSE(Address::from_text("10.0.0.1")->limited() == Address::from_text("10.0.0.2")->limited());
  for (const char* text : {"", "localhost", "1.2.3", "1.2.3.4.5", "::g"})
    EXPECT_FALSE(Address::from_text(text));
}

}  // namespace
}  // namespace ringwave::server
