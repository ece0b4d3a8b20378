// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/status.hpp"

#include <gtest/gtest.h>

namespace ringwave {
namespace {

TEST(Status, EveryStatusHasItsWord) {
  EXPECT_EQ(to_string(Status::ok), "ok");
  EXPECT_EQ(to_string(Status::busy), "busy");
  EXPECT_EQ(to_string(Status::wrong_shape), "wrong shape");
  EXPECT_EQ(to_string(Status::device_lost), "device lost");
  EXPECT_EQ(to_string(Status::late), "late");
  EXPECT_EQ(to_string(Status::not_running), "not running");
  EXPECT_EQ(to_string(static_cast<Status>(200)), "unknown");
}

}  // namespace
}  // namespace ringwave
