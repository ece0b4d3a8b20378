// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/toml_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TomlTable parsed(std::string_view text) {
  return TomlTable::from_text(text, "some.toml");
}

TEST(TomlTable, GivesWhatIsThereAndNothingForWhatIsNot) {
  TomlTable table = parsed(
      "bpm = 60\nshare = 0.5\nname = 'night'\non = true\nlayers = ['a', 'b']\n[filter]\nhz = 500\n"
      "[[wire]]\nto = 'x'\n[[wire]]\nto = 'y'\n");
  EXPECT_EQ(table.number("bpm", 40, 120), 60);
  EXPECT_EQ(table.number("share", 0, 1), 0.5);
  EXPECT_EQ(table.text("name"), "night");
  EXPECT_EQ(table.flag("on"), true);
  EXPECT_THAT(table.texts("layers").value(), ElementsAre("a", "b"));
  EXPECT_EQ(table.table("filter")->number("hz", 20, 20000), 500);
  std::vector<TomlTable> wires = table.tables("wire");
  ASSERT_EQ(wires.size(), 2U);
  EXPECT_EQ(wires[1].text("to"), "y");
  EXPECT_EQ(table.number("absent", 0, 1), std::nullopt);
  EXPECT_EQ(table.text("absent"), std::nullopt);
  EXPECT_FALSE(table.table("absent").has_value());
  EXPECT_TRUE(table.tables("absent").empty());
  EXPECT_NO_THROW(table.require_no_others());
}

TEST(TomlTable, EveryComplaintNamesFileLineAndKey) {
  const auto complains = [](std::string_view text, auto ask, const char* sentence) {
    EXPECT_THAT(
        [&] {
          TomlTable table = parsed(text);
          ask(table);
        },
        ThrowsMessage<BadFile>(HasSubstr(sentence)))
        << text;
  };
  const auto number = [](TomlTable& t) { (void)t.number("bpm", 40, 120); };
  complains("\nbpm = 500", number, "some.toml:2: bpm is 500; use 40 to 120");
  complains("bpm = nan", number, "some.toml:1: bpm is nan");
  complains("bpm = inf", number, "some.toml:1: bpm is inf");
  complains("bpm = 'fast'", number, "some.toml:1: bpm is no number");
  complains("bpm = [60]", number, "bpm is no number");
  complains(
      "on = 1", [](TomlTable& t) { (void)t.flag("on"); }, "some.toml:1: on is neither true nor false");
  complains(
      "n = 1", [](TomlTable& t) { (void)t.text("n"); }, "some.toml:1: n is no text");
  complains(
      "l = 'a'", [](TomlTable& t) { (void)t.texts("l"); }, "l is no list");
  complains(
      "l = ['a', 1]", [](TomlTable& t) { (void)t.texts("l"); }, "l is a list of something else");
  complains(
      "f = 1", [](TomlTable& t) { (void)t.table("f"); }, "f is no table");
  complains(
      "f = [1]", [](TomlTable& t) { (void)t.tables("f"); }, "f is a list of something else");
  complains(
      "[f]\n\nhz = -1", [](TomlTable& t) { (void)t.table("f")->number("hz", 0, 9); },
      "some.toml:3: f.hz is -1; use 0 to 9");
  complains(
      "a = 1\nbmp = 60",
      [](TomlTable& t) {
        (void)t.number("a", 0, 1);
        t.require_no_others();
      },
      "some.toml:2: bmp is not known here");
}

TEST(TomlTable, WhatIsNoTomlIsToldWithItsLine) {
  for (const char* text : {"bpm = ", "= 3", "[a", "bpm = 1\nbpm = 2", "a = 'x", "\xff\xfe", "a = 1 b = 2"})
    EXPECT_THAT([&] { (void)parsed(text); }, ThrowsMessage<BadFile>(StartsWith("some.toml:"))) << text;
  EXPECT_THAT([] { (void)parsed("[\n0e40key]\n"); }, ThrowsMessage<BadFile>(StartsWith("some.toml")))
      << "which toml++ would assert";
  const std::string deep(100'000, '[');
  EXPECT_THROW((void)parsed("a = " + deep), BadFile);
}

TEST(TomlTable, LettersBeyondAsciiAreForQuotesAndComments) {
  TomlTable table = parsed(
      "\xef\xbb\xbf# Nächte\na = 'Nächte'\nb = \"\\\"ä\"\nc = \"\"\"x\"ä\n\"\"\"\"\nd = \'\'\'ä\'\'\' # "
      "ä\n\"ä\" = 1\n");
  EXPECT_EQ(table.text("a"), "Nächte");
  EXPECT_EQ(table.text("b"), "\"ä");
  EXPECT_EQ(table.text("c"), "x\"ä\n\"");
  EXPECT_EQ(table.text("d"), "ä");
  EXPECT_EQ(table.number("ä", 0, 1), 1);
  for (const char* text : {"\nä = 1", "\na = ä", "\na = 'x' ä", "\nb = 5\x12\"\xef\xb3\xbf"})
    EXPECT_THAT([&] { (void)parsed(text); }, ThrowsMessage<BadFile>(StartsWith("some.toml:2: "))) << text;
}

TEST(TomlTable, FilesAreBounded) {
  const TemporaryFolder folder;
  const auto path = folder / "large.toml";
  std::ofstream(path) << std::string(TomlTable::kLargestBytes + 1, '\n');
  EXPECT_THAT([&] { (void)TomlTable::from_file(path); },
              ThrowsMessage<BadFile>(HasSubstr("larger than 1 MiB")));
  EXPECT_THAT([&] { (void)TomlTable::from_file(folder / "none.toml"); },
              ThrowsMessage<BadFile>(HasSubstr("cannot be read")));
  EXPECT_THROW((void)TomlTable::from_file(folder / "."), BadFile) << "a folder";
  std::ofstream(folder / "fine.toml") << "a = 1\n";
  EXPECT_EQ(TomlTable::from_file(folder / "fine.toml").number("a", 0, 1), 1);
}

}  // namespace
}  // namespace ringwave
