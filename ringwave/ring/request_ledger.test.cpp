// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/request_ledger.hpp"

#include <gtest/gtest.h>

namespace ringwave::ring {
namespace {

constexpr std::size_t kCapacity = 16;

MessageHead request(std::uint64_t correlation) {
  MessageHead head;
  head.correlation = correlation;
  head.flags = MessageHead::kRequest;
  return head;
}

TEST(RequestLedger, KnowsWhoWaits) {
  RequestLedger ledger(kCapacity);
  MessageHead found;
  EXPECT_FALSE(ledger.find(2, 5, found)) << "it is not written yet";
  ledger.note(2, 5, request(77));
  ASSERT_TRUE(ledger.find(2, 5, found));
  EXPECT_EQ(found.correlation, 77U);
  EXPECT_EQ(found.flags, MessageHead::kRequest);
  EXPECT_FALSE(ledger.find(1, 5, found)) << "of another band";
  EXPECT_FALSE(ledger.find(2, 5 + kCapacity, found)) << "of the next lap";
}

TEST(RequestLedger, KnowsThatNobodyWaits) {
  RequestLedger ledger(kCapacity);
  MessageHead reply = request(77);
  reply.flags = 0;
  ledger.note(0, 3, request(5));
  ledger.note(0, 3 + kCapacity, reply);
  MessageHead found;
  ASSERT_TRUE(ledger.find(0, 3 + kCapacity, found));
  EXPECT_EQ(found.flags, 0);
}

TEST(RequestLedger, ASlotIsFreeWhenItsSenderIsDone) {
  RequestLedger ledger(kCapacity);
  for (std::uint64_t index = 0; index < kCapacity; ++index) {
    EXPECT_TRUE(ledger.is_free(0, index)) << "nobody had it before";
    EXPECT_FALSE(ledger.is_free(0, index + kCapacity));
    EXPECT_FALSE(ledger.is_free(0, index + 2 * kCapacity));
    ledger.note(0, index, request(1));
    EXPECT_TRUE(ledger.is_free(0, index + kCapacity));
    EXPECT_FALSE(ledger.is_free(0, index + 2 * kCapacity)) << "one lap after the other";
  }
}

}  // namespace
}  // namespace ringwave::ring
