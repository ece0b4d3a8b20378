// SPDX-License-Identifier: Apache-2.0
#include "apps/server/address_quota.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

AddressQuota::Spec two(bool hold_loopback) {
  return {.most = 2,
          .hold_loopback = hold_loopback,
          .what = "things are held",
          .is_held = [](const std::string&) { return true; }};
}

TEST(AddressQuota, HoldsEachAddressAndEachNetworkOfIPv6) {
  AddressQuota held(two(false));
  const Address one = *Address::from_text("192.0.2.1");
  (void)held.take(one, "a");
  (void)held.take(one, "b");
  (void)held.take(one, "b");
  EXPECT_THROW((void)held.take(one, "c"), stream::Refusal);
  EXPECT_THROW(held.require_room(one), stream::Refusal);
  (void)held.take(*Address::from_text("192.0.2.2"), "c");
  (void)held.take(*Address::from_text("2001:db8::1"), "d");
  (void)held.take(*Address::from_text("2001:db8::2"), "e");
  EXPECT_THROW((void)held.take(*Address::from_text("2001:db8::3"), "f"), stream::Refusal);
}

TEST(AddressQuota, HoldsThisMachineWhereItIsTold) {
  const Address own = *Address::from_text("127.0.0.1");
  AddressQuota free(two(false));
  AddressQuota held(two(true));
  for (const char* id : {"a", "b"}) {
    (void)free.take(own, id);
    (void)held.take(own, id);
  }
  EXPECT_NO_THROW((void)free.take(own, "c"));
  EXPECT_THROW((void)held.take(own, "c"), stream::Refusal);
}

TEST(AddressQuota, CountsWhatIsHeldAndWhatIsAboutToBe) {
  std::set<std::string> over;
  AddressQuota::Spec spec = two(false);
  spec.is_held = [&](const std::string& id) { return !over.contains(id); };
  AddressQuota quota(spec);
  const Address one = *Address::from_text("192.0.2.1");
  (void)quota.take(one, "a");
  over = {"a", "b"};
  {
    const auto beginning = quota.take(one, "b");
    (void)quota.take(one, "c");
    EXPECT_THROW((void)quota.take(one, "d"), stream::Refusal) << "b has not begun yet";
  }
  EXPECT_NO_THROW((void)quota.take(one, "d"));
}

}  // namespace
}  // namespace ringwave::server
