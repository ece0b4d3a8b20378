// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/wire_head.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace ringwave::ring {
namespace {

constexpr std::int64_t kHour = 3'600'000'000'000;

MessageHead some_head() {
  MessageHead head;
  head.correlation = 0xfedc'ba98'7654;
  head.type = 0xffff'fffe;
  head.bytes = 65536;
  head.argument = 0x8000'0001;
  head.source = 255;
  head.priority = 224;
  head.flags = MessageHead::kRequest;
  head.sent_ns = 1'234'567'890'123'456'789;
  return head;
}

TEST(WireHead, BringsAHeadToAKernel) {
  MessageHead head = some_head();
  for (const std::int64_t patience :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-5}, kHour, 23 * kHour}) {
    head.deadline_ns = patience == 0 ? 0 : head.sent_ns + patience;
    const WireHead wire = wire_to_kernel(head);
    EXPECT_FALSE(wire.is_plain());
    EXPECT_EQ(wire.bytes(), head.bytes);
    for (const std::int64_t later : {std::int64_t{-1000}, std::int64_t{0}, kHour, 10 * kHour}) {
      const MessageHead found = head_at_kernel(wire, head.sent_ns + later);
      EXPECT_EQ(std::memcmp(&found, &head, sizeof head), 0) << patience << " " << later;
    }
  }
}

TEST(WireHead, IsPlainWhereItCannotSayAll) {
  MessageHead head = some_head();
  head.id = 1;
  EXPECT_TRUE(wire_to_kernel(head).is_plain()) << "the sender's own id";
  head = some_head();
  head.correlation = std::uint64_t{1} << 48U;
  EXPECT_TRUE(wire_to_kernel(head).is_plain());
  head = some_head();
  head.flags |= MessageHead::kByReference;
  EXPECT_TRUE(wire_to_kernel(head).is_plain()) << "a device looks for references only there";
  head = some_head();
  head.deadline_ns = head.sent_ns + 25 * kHour;
  EXPECT_TRUE(wire_to_kernel(head).is_plain()) << "48 bits of nanoseconds are not enough to tell";
  head.deadline_ns = 1;
  EXPECT_TRUE(wire_to_kernel(head).is_plain());
  head.deadline_ns = std::int64_t{1} << 48U;
  head.sent_ns = head.deadline_ns;
  EXPECT_TRUE(wire_to_kernel(head).is_plain()) << "its lower bits say that there is none";
}

TEST(WireHead, BringsAHeadToTheHost) {
  MessageHead head = some_head();
  head.argument = 0;
  head.id = 0x8765'4321'0fed'cba9;
  head.flags = MessageHead::kVerdict;
  const WireHead wire = wire_to_host(head);
  EXPECT_FALSE(wire.is_plain());
  const MessageHead found = head_at_host(wire);
  EXPECT_EQ(std::memcmp(&found, &head, sizeof head), 0);
  head.deadline_ns = 5;
  EXPECT_TRUE(wire_to_host(head).is_plain()) << "a dead letter";
  head.deadline_ns = 0;
  head.argument = 1;
  EXPECT_TRUE(wire_to_host(head).is_plain());
}

}  // namespace
}  // namespace ringwave::ring
