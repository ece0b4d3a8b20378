// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/tag_blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ringwave/io/tags/chapter_comments.hpp"
#include "ringwave/io/tags/flac_blocks.hpp"

namespace ringwave::io {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Text = AudioTags::Text;

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string field(const std::string& id, const std::string& value) {
  const std::size_t size = value.size() + 1;
  return id + static_cast<char>(size) + std::string(3, '\0') + value + '\0' + std::string(size % 2, '\0');
}

TEST(TagBlocks, InfoIsReadAsUtf8OrElseAsLatin1) {
  EXPECT_THAT(tags_of_riff_info(bytes_of(field("INAM", "Stück") + field("IART",
                                                                        "St\xfc"
                                                                        "ck")))
                  .texts,
              ElementsAre(Text{"TITLE", "Stück"}, Text{"ARTIST", "Stück"}));
}

TEST(TagBlocks, InfoFieldsOfOtherKindsAreCounted) {
  const AudioTags found = tags_of_riff_info(bytes_of(field("ISFT", "Lavf") + field("IDPI", "72")));
  EXPECT_THAT(found.texts, IsEmpty());
  EXPECT_EQ(found.unread, 1) << "the program that wrote it is nothing to carry";
}

TEST(TagBlocks, ATornInfoIsReadAsFarAsItGoes) {
  const std::string whole = field("INAM", "Title") + field("IART", "Artist");
  for (std::size_t size = 0; size <= whole.size(); ++size)
    (void)tags_of_riff_info(bytes_of(whole.substr(0, size)));
  EXPECT_EQ(tags_of_riff_info(bytes_of("INAM\xff\xff\xff\xffTitle")).text("TITLE"), "Title");
}

TEST(TagBlocks, WhatTheEncoderSaysOfItselfIsNotCarried) {
  AudioTags tags;
  tags.texts = {{"TITLE", "Moon"}, {"ENCODER", "Lavc libvorbis"}};
  EXPECT_THAT(tags_of_vorbis_comment(vorbis_comment(tags, 48000, {}, true), 48000).texts,
              ElementsAre(Text{"TITLE", "Moon"}));
}

TEST(TagBlocks, ChaptersAreCuePointsToTheMillisecond) {
  AudioTags tags;
  tags.cues = {{44'100, "Verse"}, {44'100 * 3700LL, ""}};
  const auto texts = chapters_of_cues(tags, 44'100);
  EXPECT_THAT(texts, ElementsAre(Text{"CHAPTER000", "00:00:01.000"}, Text{"CHAPTER000NAME", "Verse"},
                                 Text{"CHAPTER001", "01:01:40.000"}));
  AudioTags read;
  read.texts = texts;
  read.texts.push_back({"CHAPTER", "four"});
  read.texts.push_back({"CHAPTER002", "noon"});
  cues_from_chapters(read, 44'100);
  EXPECT_EQ(read.cues, tags.cues);
  EXPECT_THAT(read.texts, ElementsAre(Text{"CHAPTER", "four"}));
  EXPECT_EQ(read.unread, 1);
}

TEST(TagBlocks, ACueSheetsTracksAreCuePointsWithoutItsLeadOut) {
  std::vector<std::byte> sheet(396 + 3 * 36);
  sheet[395] = std::byte{3};
  const auto put = [&](std::size_t track, unsigned frame, unsigned number) {
    const std::size_t at = 396 + track * 36;
    sheet[at + 6] = static_cast<std::byte>(frame >> 8U);
    sheet[at + 7] = static_cast<std::byte>(frame & 0xffU);
    sheet[at + 8] = static_cast<std::byte>(number);
  };
  put(0, 0, 1);
  put(1, 0x1234, 2);
  put(2, 0x2000, 255);
  EXPECT_THAT(cues_of_cue_sheet(sheet),
              ElementsAre(AudioTags::Cue{0, "Track 1"}, AudioTags::Cue{0x1234, "Track 2"}));
  sheet.resize(420);
  EXPECT_THAT(cues_of_cue_sheet(sheet), IsEmpty()) << "its first track is not whole";
}

}  // namespace
}  // namespace ringwave::io
