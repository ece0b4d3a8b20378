// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/chord.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace ringwave::music {
namespace {

using testing::ElementsAre;
using Shape = Chord::Shape;

/// Above the middle C's octave.
std::vector<int> pitches(const Scale& scale, int degree, Shape shape) {
  std::vector<int> made;
  const Chord chord(scale, degree, shape);
  for (const int step : chord.steps()) made.push_back(60 + scale.pitch(step));
  return made;
}

TEST(Chord, IsWhatMusiciansCallIt) {
  const Scale c_major(0, Mode::ionian);
  EXPECT_THAT(pitches(c_major, 0, Shape::triad), ElementsAre(60, 64, 67)) << "C";
  EXPECT_THAT(pitches(c_major, 1, Shape::triad), ElementsAre(62, 65, 69)) << "Dm";
  EXPECT_THAT(pitches(c_major, 4, Shape::seventh), ElementsAre(67, 71, 74, 77)) << "G7";
  EXPECT_THAT(pitches(c_major, 0, Shape::ninth), ElementsAre(60, 64, 67, 74)) << "C add9";
  EXPECT_THAT(pitches(c_major, 0, Shape::suspended_second), ElementsAre(60, 62, 67)) << "C sus2";
  EXPECT_THAT(pitches(c_major, 0, Shape::suspended_fourth), ElementsAre(60, 65, 67)) << "C sus4";
  EXPECT_THAT(pitches(Scale(9, Mode::harmonic_minor), 4, Shape::triad), ElementsAre(76, 80, 83))
      << "E in A minor";
  EXPECT_THAT(pitches(Scale(0, Mode::major_pentatonic), 0, Shape::triad), ElementsAre(60, 64, 67)) << "C";
  EXPECT_THAT(pitches(Scale(0, Mode::major_pentatonic), 1, Shape::triad), ElementsAre(62, 67, 69))
      << "D sus4";
  EXPECT_THAT(pitches(Scale(9, Mode::minor_pentatonic), 0, Shape::triad), ElementsAre(69, 72, 76)) << "Am";
  EXPECT_THAT(pitches(Scale(9, Mode::minor_pentatonic), 0, Shape::seventh), ElementsAre(69, 72, 76, 79))
      << "Am7";
}

TEST(Chord, HasNoToneTwiceAndNoneOutsideItsScale) {
  for (const Mode mode : all_modes())
    for (int degree = 0; degree < Scale(5, mode).size(); ++degree)
      for (const Shape shape :
           {Shape::triad, Shape::seventh, Shape::ninth, Shape::suspended_second, Shape::suspended_fourth}) {
        const Scale scale(5, mode);
        const Chord chord(scale, degree, shape);
        std::set<int> classes;
        for (const int step : chord.steps()) classes.insert(scale.pitch(step) % 12);
        EXPECT_EQ(classes.size(), chord.steps().size())
            << to_string(mode) << ", degree " << degree << ", shape " << static_cast<int>(shape);
      }
}

TEST(Chord, KnowsItsTonesInEveryOctave) {
  const Chord chord(Scale(0, Mode::ionian), 3, Shape::triad);  // F A C: the steps 3, 5 and 7
  for (const int step : {3, 5, 7, 10, -4, -2, 0, 14}) EXPECT_TRUE(chord.has(step)) << step;
  for (const int step : {1, 2, 4, 6, 8, -1, -3}) EXPECT_FALSE(chord.has(step)) << step;
}

}  // namespace
}  // namespace ringwave::music
