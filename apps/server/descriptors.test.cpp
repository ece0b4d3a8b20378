// SPDX-License-Identifier: Apache-2.0
#include "apps/server/descriptors.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

TEST(Descriptors, AreGivenOutAsLongAsThereAreAny) {
  Descriptors descriptors(2);
  auto first = descriptors.take();
  {
    const auto second = descriptors.take();
    EXPECT_TRUE(second);
    EXPECT_FALSE(descriptors.take());
  }
  EXPECT_TRUE(descriptors.take()) << "it was given back";
  const Descriptors::Place moved(std::move(*first));
  first.reset();
  const auto last = descriptors.take();
  EXPECT_TRUE(last);
  EXPECT_FALSE(descriptors.take()) << "the moved one still counts";
}

constexpr int kNothingLeft = 201;

/// In a process of its own, whose limit may be lowered.
[[noreturn]] void exit_with_what_is_left(rlim_t limit, int connections) {
  const rlimit lowered{.rlim_cur = limit, .rlim_max = limit};
  if (setrlimit(RLIMIT_NOFILE, &lowered) != 0) _exit(200);
  try {
    _exit(descriptors_for(connections));
  } catch (const InvalidArgument&) {
    _exit(kNothingLeft);
  }
}

TEST(Descriptors, AreWhatTheLimitLeaves) {
  const auto leaves_some = [](int status) {
    return WIFEXITED(status) && WEXITSTATUS(status) > 0 && WEXITSTATUS(status) < 100 - Descriptors::kReserve;
  };
  EXPECT_EXIT(exit_with_what_is_left(100, 4096), leaves_some, "");
  EXPECT_EXIT(exit_with_what_is_left(Descriptors::kReserve, 4096), testing::ExitedWithCode(kNothingLeft), "");
}

TEST(Descriptors, AreTwoForEachConnectionWhereTheSystemAllowsIt) {
  EXPECT_EQ(descriptors_for(10), 20);
}

}  // namespace
}  // namespace ringwave::server
