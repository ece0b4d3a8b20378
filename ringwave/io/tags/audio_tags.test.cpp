// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/audio_tags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/io/audio_reader.hpp"
#include "ringwave/io/audio_writer.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::io {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;
using Text = AudioTags::Text;

std::vector<std::byte> bytes(std::size_t count) {
  std::vector<std::byte> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<std::byte>(i * 37 % 251);
  return made;
}

AudioTags full_tags() {
  AudioTags tags;
  tags.texts = {
      {"TITLE", "Stille Nacht — 静夜"}, {"ARTIST", "One"},         {"ARTIST", "Two"},
      {"TRACKNUMBER", "3/9"},           {"MY OWN FIELD", "ärger"}, {"REPLAYGAIN_TRACK_GAIN", "-3.00 dB"}};
  tags.pictures = {{3, "image/png", "cover", bytes(100'000)}, {4, "image/jpeg", "", bytes(300)}};
  tags.cues = {{0, "start"}, {4800, "refrain"}, {7200, ""}};
  tags.loops = {{AudioTags::Loop::Way::forward, 100, 4799, 0},
                {AudioTags::Loop::Way::there_and_back, 10, 20, 3}};
  tags.root_note = 57;
  tags.broadcast = bytes(602);
  return tags;
}

AudioTags there_and_back(AudioFormat format, const AudioTags& tags) {
  const TemporaryFolder folder;
  const std::vector<float> samples(2 * 9600, 0.25F);
  AudioWriter writer(folder / "file", {.channels = 2, .format = format, .tags = tags});
  writer.write({samples.data(), 2, 9600});
  writer.commit();
  AudioReader reader(folder / "file");
  std::vector<float> found(2 * 9600);
  EXPECT_EQ(reader.read({found.data(), 2, 9600}), 9600) << "the tags stand between the samples";
  return reader.tags();
}

class AudioTagsIn : public testing::TestWithParam<AudioFormat> {};

TEST_P(AudioTagsIn, TextAndPicturesComeBack) {
  const AudioTags tags = full_tags();
  const AudioTags found = there_and_back(GetParam(), tags);
  EXPECT_THAT(found.texts, UnorderedElementsAreArray(tags.texts));
  EXPECT_THAT(found.pictures, UnorderedElementsAreArray(tags.pictures));
}

TEST_P(AudioTagsIn, CuePointsComeBack) {
  EXPECT_EQ(there_and_back(GetParam(), full_tags()).cues, full_tags().cues);
}

TEST_P(AudioTagsIn, WhatHasNoPlaceIsSaid) {
  const bool wav = GetParam() == AudioFormat::wav16;
  const auto left_out = full_tags().without_a_place_in(GetParam());
  if (wav)
    EXPECT_THAT(left_out, IsEmpty());
  else
    EXPECT_THAT(left_out, ElementsAre("2 loops", "the broadcast description"));
}

TEST_P(AudioTagsIn, NoTagsAreNoBytes) {
  const TemporaryFolder folder;
  EXPECT_THAT(there_and_back(GetParam(), {}).texts, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Formats, AudioTagsIn,
                         testing::Values(AudioFormat::wav16, AudioFormat::flac, AudioFormat::flac16,
                                         AudioFormat::ogg, AudioFormat::opus, AudioFormat::mp3),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(AudioTags, WavHasLoopsAndTheBroadcastDescription) {
  const AudioTags tags = full_tags();
  const AudioTags found = there_and_back(AudioFormat::wav24, tags);
  EXPECT_EQ(found.loops, tags.loops);
  EXPECT_EQ(found.root_note, 57);
  EXPECT_EQ(found.broadcast, tags.broadcast);
}

TEST(AudioTags, WithoutTheLevelTheirTextsGoAndTheRestStays) {
  AudioTags tags = full_tags();
  tags.texts.push_back({"R128_TRACK_GAIN", "-256"});
  tags.drop_levels();
  EXPECT_EQ(tags.texts.size(), 5U);
  EXPECT_FALSE(tags.text("REPLAYGAIN_TRACK_GAIN").has_value());
  EXPECT_EQ(tags.text("ARTIST"), "One");
}

TEST(AudioTags, MomentsStayAtAnotherRate) {
  AudioTags tags = full_tags();
  tags.change_rate(48000, 44100);
  EXPECT_EQ(tags.cues[1].frame, 4410);
  EXPECT_EQ(tags.loops[0].begin, 92U);
  EXPECT_EQ(tags.loops[0].last, 4409U);
}

TEST(AudioTags, RawHasNothing) {
  EXPECT_THAT(full_tags().without_a_place_in(AudioFormat::raw),
              ElementsAre("6 tags", "2 pictures", "3 cue points", "2 loops", "the broadcast description"));
}

TEST(AudioTags, ANameThatVorbisForbidsIsSaid) {
  AudioTags tags;
  tags.texts = {{"ÜBER", "x"}};
  EXPECT_THAT(tags.without_a_place_in(AudioFormat::ogg), ElementsAre("1 tag"));
  EXPECT_THAT(tags.without_a_place_in(AudioFormat::mp3), IsEmpty());
}

}  // namespace
}  // namespace ringwave::io
