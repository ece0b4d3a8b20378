// SPDX-License-Identifier: Apache-2.0
#include "apps/server/client_address.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringwave::server {
namespace {

const Address kHere = *Address::from_text("127.0.0.1");

Address asks(const std::vector<std::string_view>& lines) {
  return client_address(kHere, lines);
}

Address at(const std::string& text) {
  return *Address::from_text(text);
}

TEST(ClientAddress, IsTheLastOneThatIsNotOfThisMachine) {
  EXPECT_EQ(asks({"9.9.9.9"}), at("9.9.9.9"));
  EXPECT_EQ(asks({"1.1.1.1, 9.9.9.9"}), at("9.9.9.9"));
  EXPECT_EQ(asks({"1.1.1.1", "9.9.9.9"}), at("9.9.9.9"));
  EXPECT_EQ(asks({"127.0.0.1", "2.2.2.2,\t9.9.9.9 ", "127.0.0.1,::1"}), at("9.9.9.9"));
  EXPECT_EQ(asks({"unknown", "9.9.9.9"}), at("9.9.9.9"));
}

TEST(ClientAddress, IsThePeerWhereNobodyElseIsNamed) {
  EXPECT_EQ(asks({}), kHere);
  EXPECT_EQ(asks({"127.0.0.1", "::1"}), kHere);
  EXPECT_EQ(client_address(at("8.8.8.8"), std::vector<std::string_view>{"127.0.0.1"}), at("8.8.8.8"));
}

TEST(ClientAddress, IsWrittenInSeveralWays) {
  for (const char* text : {"9.9.9.9", "9.9.9.9:4711"}) EXPECT_EQ(asks({text}), at("9.9.9.9")) << text;
  for (const char* text : {"2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:4711"})
    EXPECT_EQ(asks({text}), at("2001:db8::1")) << text;
}

TEST(ClientAddress, IsNotThisMachineWhereItCannotBeRead) {
  for (const char* text : {"", "\t", "unknown", "_hidden", "localhost", "127.0.0.1:", "127.0.0.1:x",
                           "127.0.0.1:4711111", "[127.0.0.1]", "[::1", "::1]", "[::1]x", "[::1]:",
                           "127.0.0.1,", ",", "9.9.9.9, unknown", "127.1", "::1%lo", "\"127.0.0.1\""}) {
    EXPECT_EQ(asks({text}), Address::unknown()) << text;
    EXPECT_EQ(asks({"9.9.9.9", text}), Address::unknown()) << text;
  }
  EXPECT_FALSE(Address::unknown().is_loopback());
  EXPECT_FALSE(Address::unknown().limited() == kHere.limited());
  EXPECT_FALSE(Address::unknown().limited() == at("::1").limited());
}

}  // namespace
}  // namespace ringwave::server
