// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/voicing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ringwave::music {
namespace {

using testing::ElementsAre;
using Shape = Chord::Shape;

TEST(Voicing, HoldsEveryToneOnceNearTheMiddle) {
  for (const Mode mode : all_modes())
    for (int key = 0; key < 12; ++key)
      for (const Shape shape : {Shape::triad, Shape::seventh, Shape::ninth, Shape::suspended_second})
        for (int degree = 0; degree < Scale(key, mode).size(); ++degree) {
          const Scale scale(key, mode);
          const Chord chord(scale, degree, shape);
          const std::vector<int> pitches = voiced(scale, chord, 60, {});
          ASSERT_EQ(pitches.size(), chord.steps().size());
          EXPECT_TRUE(std::ranges::is_sorted(pitches));
          for (const int pitch : pitches) {
            EXPECT_LE(std::abs(pitch - 60), 10);
            EXPECT_TRUE(chord.has(scale.step_at(pitch)));
          }
          EXPECT_TRUE(std::ranges::adjacent_find(pitches) == pitches.end());
        }
}

TEST(Voicing, MovesAsAPlayerWould) {
  const Scale c_major(0, Mode::ionian);
  const std::vector<int> c{55, 60, 64};
  EXPECT_THAT(voiced(c_major, {c_major, 5, Shape::triad}, 60, c), ElementsAre(57, 60, 64))
      << "C to Am: one voice moves";
  EXPECT_THAT(voiced(c_major, {c_major, 3, Shape::triad}, 60, c), ElementsAre(57, 60, 65))
      << "C to F: C stays";
  EXPECT_THAT(voiced(c_major, {c_major, 0, Shape::triad}, 60, c), ElementsAre(55, 60, 64))
      << "C to C: nothing moves";
}

TEST(Voicing, FollowsItsMiddle) {
  const Scale scale(0, Mode::ionian);
  const Chord chord(scale, 0, Shape::triad);
  const std::vector<int> low = voiced(scale, chord, 54, {});
  const std::vector<int> high = voiced(scale, chord, 66, {});
  EXPECT_LT(low.back(), high.back());
  EXPECT_LT(low.front(), high.front());
}

}  // namespace
}  // namespace ringwave::music
