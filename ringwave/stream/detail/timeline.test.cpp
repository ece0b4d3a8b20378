// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/timeline.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace ringwave::stream {
namespace {

constexpr std::int64_t kPhraseFrames = 384000;

Timeline::WishPtr wish_of(int key) {
  return std::make_shared<const Timeline::Wish>(Timeline::Wish{.settings = {.key = key}, .preset = {}});
}

std::shared_ptr<const Timeline::Phrases> one_phrase(const Timeline::WishPtr& wish) {
  return std::make_shared<const Timeline::Phrases>(
      Timeline::Phrases{{.number = 0, .begins_at = 0, .ends_at = kPhraseFrames, .settings = wish->settings}});
}

class TimelineTest : public testing::Test {
 protected:
  RenderLoop loop_{{.device = Device::cpu(), .stations = 1, .rendered = {}}};
  std::shared_ptr<Place> first_ = std::make_shared<Place>(loop_, 0);
  std::shared_ptr<Place> second_ = std::make_shared<Place>(loop_, 0);
  Timeline::WishPtr wish_ = wish_of(0);
  Timeline timeline_{wish_, {}, 0};
};

TEST_F(TimelineTest, WhatIsWishedAppliesAtOnceUntilAPhraseIsComposed) {
  EXPECT_EQ(timeline_.wish(wish_of(1)).applies_at(), 0);
  wish_ = wish_of(2);
  (void)timeline_.wish(wish_);
  (void)timeline_.move_to(first_);
  EXPECT_EQ(timeline_.state().applies_at(), 0);
  ASSERT_TRUE(timeline_.compose(*first_, *wish_, one_phrase(wish_)));
  EXPECT_EQ(timeline_.state().applies_at(), 0) << "the phrase has the settings";
  EXPECT_EQ(timeline_.wish(wish_of(3)).applies_at(), kPhraseFrames) << "those are for the next one";
  EXPECT_EQ(timeline_.wish(wish_of(2)).applies_at(), 0);
}

TEST_F(TimelineTest, APhraseThatWasComposedForAnotherWishIsNotTaken) {
  (void)timeline_.move_to(first_);
  (void)timeline_.wish(wish_of(1));
  EXPECT_FALSE(timeline_.compose(*first_, *wish_, one_phrase(wish_)));
  EXPECT_TRUE(timeline_.state().phrases->empty());
}

TEST_F(TimelineTest, WhoStillWorksForAnEarlierPlaceChangesNothing) {
  (void)timeline_.move_to(first_);
  EXPECT_TRUE(timeline_.advance(*first_, 960));
  EXPECT_EQ(timeline_.move_to(second_), first_);
  EXPECT_FALSE(timeline_.advance(*first_, 1920));
  EXPECT_FALSE(timeline_.compose(*first_, *wish_, one_phrase(wish_)));
  timeline_.tell(*first_, 0, 7);
  EXPECT_EQ(timeline_.state().sample_time, 960);
  EXPECT_FALSE(timeline_.state().told_phrase);
  EXPECT_EQ(timeline_.move_to(nullptr), second_);
  EXPECT_FALSE(timeline_.advance(*second_, 1920));
}

}  // namespace
}  // namespace ringwave::stream
