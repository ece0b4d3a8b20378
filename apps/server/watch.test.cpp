// SPDX-License-Identifier: Apache-2.0
#include "apps/server/watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwave::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Watch, NamesTheLoopsThatDoNotComeRound) {
  const auto begun = std::chrono::steady_clock::now();
  TickStamp network;
  TickStamp rendering;
  const Watch watch({{"network 1", &network}, {"rendering", &rendering}});
  network.set(begun);
  rendering.set(begun);
  EXPECT_THAT(watch.hanging(begun + TickStamp::kPatience), IsEmpty());
  rendering.set(begun + seconds(1));
  EXPECT_THAT(watch.hanging(begun + TickStamp::kPatience + milliseconds(1)), ElementsAre("network 1"));
  EXPECT_THAT(watch.hanging(begun + TickStamp::kPatience + seconds(2)),
              ElementsAre("network 1", "rendering"));
  network.set(begun + seconds(7));
  rendering.set(begun + seconds(7));
  EXPECT_THAT(watch.hanging(begun + seconds(7)), IsEmpty()) << "they go on";
}

TEST(Watch, GivesALoopThatHasJustBegunItsTime) {
  const TickStamp stamp;
  EXPECT_THAT(Watch({{"network 1", &stamp}}).hanging(), IsEmpty());
}

}  // namespace
}  // namespace ringwave::server
