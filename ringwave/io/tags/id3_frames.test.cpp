// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/id3_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "ringwave/io/tags/tag_blocks.hpp"

namespace ringwave::io {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Text = AudioTags::Text;

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string syncsafe(std::size_t value) {
  std::string bytes;
  for (int i = 3; i >= 0; --i) bytes += static_cast<char>(value >> (7 * i) & 0x7fU);
  return bytes;
}

std::string plain(std::size_t value, int count) {
  std::string bytes;
  for (int i = count - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
  return bytes;
}

std::string tag(char version, char flags, const std::string& frames) {
  return std::string("ID3") + version + '\0' + flags + syncsafe(frames.size()) + frames;
}

std::string frame4(const std::string& id, const std::string& data, char flags = 0) {
  return id + syncsafe(data.size()) + '\0' + flags + data;
}

std::string frame3(const std::string& id, const std::string& data, char flags = 0) {
  return id + plain(data.size(), 4) + '\0' + flags + data;
}

AudioTags read(const std::string& tag, const std::string& v1 = "") {
  return tags_of_id3({bytes_of(tag), bytes_of(v1)}, 48000);
}

TEST(Id3Frames, EveryVersionIsRead) {
  const std::string title("\0Moon", 5);
  const std::string utf16("\x01\xff\xfeM\0o\0o\0n\0", 11);
  const std::string v22 = std::string("TT2") + plain(title.size(), 3) + title;
  for (const std::string& made :
       {tag(2, 0, v22), tag(3, 0, frame3("TIT2", utf16)), tag(4, 0, frame4("TIT2", title)),
        tag(4, 0, frame4("TIT2", "\x03Moon")), tag(3, 0, frame3("TIT2", title) + "\0\0\0")})
    EXPECT_THAT(read(made).texts, ElementsAre(Text{"TITLE", "Moon"}));
}

TEST(Id3Frames, UnsynchronisedTagsAreRead) {
  const std::string utf16("\x01\xff\x00\xfeM\0o\0o\0n\0", 12);  // a zero after the mark's 0xff
  const std::string as_it_is("\x01\xff\xfeM\0o\0o\0n\0", 11);
  EXPECT_THAT(read(tag(4, 0, frame4("TIT2", utf16, 2))).texts, ElementsAre(Text{"TITLE", "Moon"}));
  std::string frame = frame3("TIT2", as_it_is);
  frame.insert(frame.find('\xff') + 1, 1, '\0');
  EXPECT_THAT(read(tag(3, static_cast<char>(0x80), frame)).texts, ElementsAre(Text{"TITLE", "Moon"}));
}

TEST(Id3Frames, CompressedFramesAreLeftOutAndCounted) {
  const std::string title("\0Moon", 5);
  const std::string squeezed = frame3("TPE1", "\0\0\1\0xxxx", static_cast<char>(0x80));
  const AudioTags found = read(tag(3, 0, squeezed + frame3("TIT2", title)));
  EXPECT_THAT(found.texts, ElementsAre(Text{"TITLE", "Moon"}));
  EXPECT_EQ(found.unread, 1);
  EXPECT_EQ(read(tag(4, 0, frame4("TPE1", "\0\0\1\0xxxx", 0x09))).unread, 1);
}

TEST(Id3Frames, ChaptersAreCuePoints) {
  const std::string title = frame4("TIT2", "\x03Refrain");
  const std::string chapter = std::string("c0\0", 3) + plain(1500, 4) + plain(2000, 4) +
                              plain(0xffffffff, 4) + plain(0xffffffff, 4) + title;
  EXPECT_THAT(read(tag(4, 0, frame4("CHAP", chapter))).cues, ElementsAre(AudioTags::Cue{72000, "Refrain"}));
  EXPECT_EQ(read(tag(4, 0, frame4("CHAP", "c0"))).unread, 1) << "without its numbers";
}

TEST(Id3Frames, Id3v1StandsInWhereThereIsNoOther) {
  std::string v1 =
      "TAG" + std::string("Old title") + std::string(21, '\0') + "Somebody" + std::string(22, '\0');
  v1.resize(127);
  v1 += '\x11';
  EXPECT_EQ(read("", v1).text("TITLE"), "Old title");
  EXPECT_EQ(read("", v1).text("GENRE"), "Rock");
  EXPECT_EQ(read(tag(4, 0, frame4("TIT2", "\x03New")), v1).text("TITLE"), "New");
}

TEST(Id3Frames, WhatMakesNoSenseIsLeftOut) {
  const std::string whole =
      tag(4, 0, frame4("TIT2", "\x03Moon") + frame4("APIC", std::string("\0image/png\0\3\0xx", 16)));
  for (std::size_t size = 0; size < whole.size(); ++size) (void)read(whole.substr(0, size));
  EXPECT_THAT(read(tag(4, 0, "TIT2" + syncsafe(1'000'000) + "\0\0x")).texts, IsEmpty());
  EXPECT_EQ(id3_tag_bytes(bytes_of("ID3\x05")), 0);
  EXPECT_EQ(id3_tag_bytes(bytes_of(whole)), static_cast<std::int64_t>(whole.size()));
}

}  // namespace
}  // namespace ringwave::io
