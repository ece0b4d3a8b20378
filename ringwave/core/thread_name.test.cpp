// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/thread_name.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace ringwave {
namespace {

TEST(ThreadName, IsSeenByOthers) {
  std::thread([] {
    name_thread("fifteen letters");
    char seen[16] = {};
    EXPECT_EQ(pthread_getname_np(pthread_self(), seen, sizeof seen), 0);
    EXPECT_STREQ(seen, "fifteen letters");
  }).join();
}

}  // namespace
}  // namespace ringwave
