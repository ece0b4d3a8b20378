// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/scale.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::music {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<int> octave_from(const Scale& scale, int pitch) {
  std::vector<int> pitches;
  for (int i = 0; i < scale.size(); ++i) pitches.push_back(scale.pitch(scale.step_at(pitch) + i));
  return pitches;
}

TEST(Scale, IsWhatMusiciansCallIt) {
  EXPECT_THAT(octave_from(Scale(0, Mode::ionian), 60), ElementsAre(60, 62, 64, 65, 67, 69, 71));
  EXPECT_THAT(octave_from(Scale(2, Mode::dorian), 62), ElementsAre(62, 64, 65, 67, 69, 71, 72))
      << "white keys";
  EXPECT_THAT(octave_from(Scale(4, Mode::phrygian), 64), ElementsAre(64, 65, 67, 69, 71, 72, 74));
  EXPECT_THAT(octave_from(Scale(5, Mode::lydian), 65), ElementsAre(65, 67, 69, 71, 72, 74, 76));
  EXPECT_THAT(octave_from(Scale(7, Mode::mixolydian), 67), ElementsAre(67, 69, 71, 72, 74, 76, 77));
  EXPECT_THAT(octave_from(Scale(9, Mode::aeolian), 69), ElementsAre(69, 71, 72, 74, 76, 77, 79));
  EXPECT_THAT(octave_from(Scale(11, Mode::locrian), 71), ElementsAre(71, 72, 74, 76, 77, 79, 81));
  EXPECT_THAT(octave_from(Scale(9, Mode::harmonic_minor), 57), ElementsAre(57, 59, 60, 62, 64, 65, 68));
  EXPECT_THAT(octave_from(Scale(7, Mode::major_pentatonic), 67), ElementsAre(67, 69, 71, 74, 76));
  EXPECT_THAT(octave_from(Scale(9, Mode::minor_pentatonic), 69), ElementsAre(69, 72, 74, 76, 79));
}

TEST(Scale, StepsAndPitchesFindEachOther) {
  for (const Mode mode : all_modes())
    for (int key = 0; key < 12; ++key) {
      const Scale scale(key, mode);
      EXPECT_EQ(scale.pitch(0), key);
      for (int step = -20; step < 80; ++step) {
        EXPECT_EQ(scale.step_at(scale.pitch(step)), step);
        EXPECT_TRUE(scale.has(scale.pitch(step)));
        EXPECT_EQ(scale.pitch(step + scale.size()), scale.pitch(step) + 12);
        for (int between = scale.pitch(step) + 1; between < scale.pitch(step + 1); ++between) {
          EXPECT_EQ(scale.step_at(between), step);
          EXPECT_FALSE(scale.has(between));
        }
      }
    }
}

TEST(Scale, NamesFindTheirModesAndKeys) {
  for (const Mode mode : all_modes()) EXPECT_EQ(mode_of_name(to_string(mode)), mode);
  EXPECT_EQ(mode_of_name("major"), Mode::ionian);
  EXPECT_EQ(mode_of_name("minor"), Mode::aeolian);
  for (int key = 0; key < 12; ++key) EXPECT_EQ(key_of_name(key_name(key)), key);
  EXPECT_EQ(key_of_name("Db"), 1);
  EXPECT_EQ(key_of_name("Cb"), 11);
  EXPECT_EQ(key_of_name("B#"), 0);
  EXPECT_THAT([] { (void)mode_of_name("happy"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("use ionian, dorian")));
  for (const char* wrong : {"", "H", "c", "C##", "Cis", " ", "#", "C "})
    EXPECT_THROW((void)key_of_name(wrong), InvalidArgument) << wrong;
  EXPECT_THROW((void)Scale(12, Mode::ionian), InvalidArgument);
  EXPECT_THROW((void)Scale(-1, Mode::ionian), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::music
