// SPDX-License-Identifier: Apache-2.0
#include "apps/server/address_limits.hpp"

#include <gtest/gtest.h>

namespace ringwave::server {
namespace {

Address number(unsigned n) {
  Address::Bytes bytes{};
  bytes[10] = bytes[11] = 0xff;
  for (unsigned i = 0; i < 4; ++i) bytes[12 + i] = static_cast<unsigned char>(n >> (24 - 8 * i));
  return Address(bytes);
}

TEST(AddressLimits, HoldEachAddressToItsConnections) {
  AddressLimits limits({.connections = 2, .requests_per_second = 1});
  EXPECT_TRUE(limits.enter(number(1)));
  EXPECT_TRUE(limits.enter(number(1)));
  EXPECT_FALSE(limits.enter(number(1)));
  EXPECT_TRUE(limits.enter(number(2)));
  limits.leave(number(1));
  EXPECT_TRUE(limits.enter(number(1)));
}

TEST(AddressLimits, HoldEachAddressToItsRequests) {
  AddressLimits limits({.connections = 2, .requests_per_second = 0.5});
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(limits.take_request(number(1)));
  EXPECT_FALSE(limits.take_request(number(1)));
  EXPECT_TRUE(limits.take_request(number(2)));
}

TEST(AddressLimits, LeaveThisMachineAlone) {
  AddressLimits limits({.connections = 0, .requests_per_second = 0.1});
  const Address here = *Address::from_text("127.0.0.1");
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limits.enter(here) && limits.take_request(here));
}

TEST(AddressLimits, KnowOnlySoMany) {
  AddressLimits limits({.connections = 1, .requests_per_second = 0.1});
  for (unsigned i = 0; i < AddressLimits::kMostAddresses; ++i) ASSERT_TRUE(limits.enter(number(i)));
  EXPECT_FALSE(limits.enter(number(1U << 30U)));
  limits.leave(number(7));  // it asked for nothing, and is forgotten
  EXPECT_TRUE(limits.enter(number(1U << 30U)));
}

}  // namespace
}  // namespace ringwave::server
