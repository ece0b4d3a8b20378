// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/station_effects.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ringwave/core/error.hpp"
#include "ringwave/music/preset.hpp"

namespace ringwave::synth {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(StationEffects, TheEchoIsANoteOfTheTempo) {
  EXPECT_DOUBLE_EQ(tempo_delay(120), 0.375) << "a dotted eighth";
  EXPECT_DOUBLE_EQ(tempo_delay(75), 0.6);
  EXPECT_DOUBLE_EQ(tempo_delay(60), 0.5) << "an eighth";
  EXPECT_DOUBLE_EQ(tempo_delay(40), 0.5625) << "a dotted sixteenth";
  EXPECT_DOUBLE_EQ(tempo_delay(1e6), StationEffects::kLeastDelay) << "a MIDI file may say so";
  EXPECT_DOUBLE_EQ(tempo_delay(1), StationEffects::kMostDelay);
}

TEST(StationEffects, OfEveryPresetAreValid) {
  for (const music::Preset& preset : music::built_in_presets())
    EXPECT_NO_THROW(require_valid(effects_of(preset.settings))) << preset.name;
}

TEST(StationEffects, OutOfRangeAreRefusedByName) {
  StationEffects effects;
  effects.delay.seconds = 0.7;
  EXPECT_THAT(
      [&] { require_valid(effects); },
      ThrowsMessage<InvalidArgument>(HasSubstr("delay seconds of 0.7 was asked for; use 0.05 to 0.6")));
  effects = {.ceiling_dbtp = 1};
  EXPECT_THROW(require_valid(effects), InvalidArgument);
  effects = {};
  effects.room.damp = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(require_valid(effects), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::synth
