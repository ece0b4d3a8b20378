// SPDX-License-Identifier: Apache-2.0
#include "apps/server/access.hpp"

#include <gtest/gtest.h>

#include "apps/server/address.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

TEST(Access, TakesATokenInTheHeaderOrTheAddress) {
  ServerConfig config;
  config.tokens = {"0123456789abcdef"};
  const Access access(config);
  for (const char* header : {"Bearer 0123456789abcdef", "bearer 0123456789abcdef", "BEARER 0123456789abcdef"})
    EXPECT_NO_THROW(access.require_token({.authorization = header})) << header;
  for (const char* header :
       {"", "Bearer", "Bearer ", "Bearer x", "Basic 0123456789abcdef", "0123456789abcdef"})
    EXPECT_THROW(access.require_token({.authorization = header}), stream::Refusal) << header;
  EXPECT_NO_THROW(access.require_token({.query = "token=0123456789abcdef"}));
}

Request from(const char* address) {
  Request request;
  request.address = *Address::from_text(address);
  return request;
}

TEST(Access, KnowsAnAdministratorByEitherHeaderAndNotByAnAddress) {
  ServerConfig config;
  config.admin_tokens = {"administrators-token"};
  const Access access(config);
  Request request = from("192.0.2.1");
  EXPECT_FALSE(access.rights_of(request).sees_all);
  request.query = "token=administrators-token";
  EXPECT_FALSE(access.rights_of(request).is_administrator);
  request.authorization = "Bearer administrators-token";
  EXPECT_TRUE(access.rights_of(request).is_administrator);
  EXPECT_TRUE(access.rights_of(request).sees_all);
  request.authorization = "Bearer the-servers-own-token";
  EXPECT_FALSE(access.rights_of(request).is_administrator);
  request.secret = "administrators-token";
  EXPECT_TRUE(access.rights_of(request).is_administrator);
}

TEST(Access, LetsThisMachineSeeAllWhereNoAdministratorIsConfigured) {
  ServerConfig config;
  EXPECT_TRUE(Access(config, "a-token-that-was-made").rights_of(from("127.0.0.1")).sees_all);
  EXPECT_FALSE(Access(config, "a-token-that-was-made").rights_of(from("127.0.0.1")).is_administrator);
  EXPECT_FALSE(Access(config, "a-token-that-was-made").rights_of(from("192.0.2.1")).sees_all);
  Request forwarded = from("127.0.0.1");
  forwarded.is_forwarded = true;
  EXPECT_FALSE(Access(config).rights_of(forwarded).sees_all);
  EXPECT_FALSE(Access(config).rights_of(forwarded).is_local);
  config.admin_tokens = {"administrators-token"};
  EXPECT_FALSE(Access(config).rights_of(from("127.0.0.1")).sees_all);
  EXPECT_TRUE(Access(config).rights_of(from("127.0.0.1")).is_local);
}

TEST(Access, TakesAnAdministratorsTokenInAHeaderForOneOfTheServer) {
  ServerConfig config;
  config.tokens = {"the-servers-own-token"};
  config.admin_tokens = {"administrators-token"};
  const Access access(config);
  Request request = from("192.0.2.1");
  EXPECT_THROW(access.require_token(request), stream::Refusal);
  request.query = "token=administrators-token";
  EXPECT_THROW(access.require_token(request), stream::Refusal);
  request.query = "token=the-servers-own-token";
  EXPECT_NO_THROW(access.require_token(request));
  request.query.clear();
  request.authorization = "Bearer administrators-token";
  EXPECT_NO_THROW(access.require_token(request));
  request.authorization.clear();
  request.secret = "administrators-token";
  EXPECT_NO_THROW(access.require_token(request));
}

TEST(Address, KnowsThisMachineAndTheNetworkOfACustomer) {
  EXPECT_TRUE(Address::from_text("127.0.0.2")->is_loopback());
  EXPECT_TRUE(Address::from_text("::1")->is_loopback());
  EXPECT_TRUE(Address::from_text("::ffff:127.0.0.1")->is_loopback());
  EXPECT_FALSE(Address::from_text("10.0.0.1")->is_loopback());
  EXPECT_FALSE(Address::from_text("::2")->is_loopback());
  EXPECT_EQ(Address::from_text("2001:db8::1")->limited(), Address::from_text("2001:db8::ffff")->limited());
  EXPECT_FALSE(Address::from_text("10.0.0.1")->limited() == Address::from_text("10.0.0.2")->limited());
  for (const char* text : {"127.0.0.1", "::1", "2001:db8::1"})
    EXPECT_EQ(Address::from_text(text)->text(), text);
  EXPECT_EQ(Address::from_text("::ffff:192.0.2.1")->text(), "192.0.2.1");
  for (const char* text : {"", "localhost", "1.2.3", "1.2.3.4.5", "::g"})
    EXPECT_FALSE(Address::from_text(text));
}

}  // namespace
}  // namespace ringwave::server
