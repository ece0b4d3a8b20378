// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/preset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::music {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Preset parsed(std::string_view text) {
  return preset_from(TomlTable::from_text(text, "night.toml"), "night");
}

TEST(Preset, TheBuiltInOnesAreValidAndFound) {
  for (const char* name : {"focus", "meditation", "sleep", "bright"}) {
    EXPECT_EQ(preset_of_name(name).name, name);
    EXPECT_NO_THROW(require_valid(preset_of_name(name).settings));
  }
  EXPECT_EQ(built_in_presets().size(), 4U);
  EXPECT_THAT([] { (void)preset_of_name("party"); },
              ThrowsMessage<InvalidArgument>(
                  HasSubstr("'party' is no preset; use focus, meditation, sleep, bright")));
}

TEST(Preset, ThereAndBackIsTheSame) {
  for (Preset preset : built_in_presets()) {
    preset.name = "a \"quoted\" \\ name\n";
    preset.settings.intensity = 1.0 / 3;
    const Preset back = parsed(to_toml(preset));
    EXPECT_EQ(back.name, preset.name);
    EXPECT_EQ(back.settings, preset.settings);
  }
}

TEST(Preset, WhatIsAbsentIsAsInSettings) {
  EXPECT_EQ(parsed("").settings, Settings{});
  EXPECT_EQ(parsed("").name, "night");
  EXPECT_EQ(parsed("key = 'F#'").settings.key, 6);
  EXPECT_EQ(parsed("layers = []").settings.layers, LayerSet{});
}

TEST(Preset, WhatIsWrongIsToldWithFileLineAndKey) {
  const auto complains = [](const char* text, const char* sentence) {
    EXPECT_THAT([&] { (void)parsed(text); }, ThrowsMessage<BadFile>(HasSubstr(sentence))) << text;
  };
  complains("\n\nbpm = 200", "night.toml:3: bpm is 200; use 40 to 120");
  complains("intensity = -1", "night.toml:1: intensity is -1; use 0 to 1");
  complains("harmonic_density = nan", "night.toml:1: harmonic_density is nan");
  complains("key = 'H'", "night.toml:1: key is wrong: 'H' is no key");
  complains("mode = 'sad'", "night.toml:1: mode is wrong: 'sad' is no mode");
  complains("layers = ['drums']", "night.toml:1: layers is wrong: 'drums' is no layer");
  complains("tempo = 60", "night.toml:1: tempo is not known here");
}

TEST(Preset, AFileIsNamedByItselfWhereItSaysNoName) {
  const TemporaryFolder folder;
  TemporaryFolder::write(folder / "rain.toml", "bpm = 44\n");
  EXPECT_EQ(load_preset(folder / "rain.toml").name, "rain");
  EXPECT_EQ(load_preset(folder / "rain.toml").settings.bpm, 44);
}

}  // namespace
}  // namespace ringwave::music
