// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/message_id.hpp"

#include <gtest/gtest.h>

namespace ringwave::ring {
namespace {

TEST(MessageId, EveryPlaceHasItsOwn) {
  EXPECT_NE(message_id(1, 0, 0), message_id(1, 1, 0));
  EXPECT_NE(message_id(1, 0, 0), message_id(2, 0, 0));
  EXPECT_NE(message_id(1, 0, 0), message_id(1, 0, 0, true));
  EXPECT_EQ(message_id(1, 2, 41) + 1, message_id(1, 2, 42));
  EXPECT_NE(message_id(0, 0, 0), 0U) << "0 is none";
}

}  // namespace
}  // namespace ringwave::ring
