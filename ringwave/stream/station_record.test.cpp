// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/station_record.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::stream {
namespace {

StationRecord record() {
  return {.id = "night-1",
          .seed = 9007199254740991,
          .preset = "sleep",
          .settings = {.key = 4, .bpm = 41.5},
          .sample_time = 2'000'000,
          .phrases = {
              {0, 0, 1'000'000, {}}, {1, 1'000'000, 2'100'000, {.key = 3}}, {2, 2'100'000, 3'000'000, {}}}};
}

TEST(StationRecord, ComesBackFromItsFileWithThePhraseThatSounds) {
  const TemporaryFolder folder;
  const auto path = folder / "stations.json";
  save_stations(path, {record(), {.id = "b", .seed = 1}});
  const auto loaded = load_stations(path);
  ASSERT_EQ(loaded.size(), 2U);
  EXPECT_EQ(loaded[0].id, "night-1");
  EXPECT_EQ(loaded[0].seed, record().seed);
  EXPECT_EQ(loaded[0].preset, "sleep");
  EXPECT_EQ(loaded[0].settings, record().settings);
  EXPECT_EQ(loaded[0].sample_time, 2'000'000);
  ASSERT_EQ(loaded[0].phrases.size(), 2U) << "what was over is left out";
  EXPECT_EQ(loaded[0].phrases[0].number, 1);
  EXPECT_EQ(loaded[0].phrases[0].begins_at, 1'000'000);
  EXPECT_EQ(loaded[0].phrases[0].settings, music::Settings{.key = 3});
  EXPECT_TRUE(loaded[1].phrases.empty());
}

TEST(StationRecord, KeepsWhoseItIsAndWhenItWasHeard) {
  const TemporaryFolder folder;
  const auto path = folder / "stations.json";
  const std::string hash(64, 'a');
  save_stations(path, {{.id = "a",
                        .owner = {.secret_hash = hash, .address = "192.0.2.7", .is_kept = true},
                        .heard_at = 1'800'000'000}});
  const auto loaded = load_stations(path);
  ASSERT_EQ(loaded.size(), 1U);
  EXPECT_EQ(loaded[0].owner.secret_hash, hash);
  EXPECT_EQ(loaded[0].owner.address, "192.0.2.7");
  EXPECT_TRUE(loaded[0].owner.is_kept);
  EXPECT_EQ(loaded[0].heard_at, 1'800'000'000);
}

TEST(StationRecord, OfAnEarlierProgramIsNobodysAndHasNoTime) {
  const auto loaded = stations_from(
      R"({"version":1,"stations":[{"id":"x","seed":1,"preset":"","settings":{},"sample_time":0,"phrases":[]}]})",
      "x");
  ASSERT_EQ(loaded.size(), 1U);
  EXPECT_EQ(loaded[0].owner.secret_hash, "");
  EXPECT_EQ(loaded[0].owner.address, "");
  EXPECT_FALSE(loaded[0].owner.is_kept);
  EXPECT_EQ(loaded[0].heard_at, 0);
}

TEST(StationRecord, PassesOverMembersOfLaterPrograms) {
  const auto loaded = stations_from(
      R"({"version":1,"later":{},"stations":[{"id":"x","seed":1,"preset":"","settings":{},"sample_time":0,)"
      R"("phrases":[],"later":[1]}]})",
      "x");
  EXPECT_EQ(loaded.size(), 1U);
}

TEST(StationRecord, RefusesEveryFileThatIsCutShort) {
  const TemporaryFolder folder;
  const auto path = folder / "stations.json";
  save_stations(path, {record()});
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_EQ(stations_from(text, "whole").size(), 1U);
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    EXPECT_THROW((void)stations_from(text.substr(0, length), "cut"), BadFile) << length;
}

TEST(StationRecord, RefusesWhatIsNotAStation) {
  const auto refused = [](const std::string& text) {
    EXPECT_THROW((void)stations_from(text, "x"), BadFile) << text;
  };
  refused(R"({"version":2,"stations":[]})");
  refused(R"({"version":1})");
  refused(R"({"version":1,"stations":[7]})");
  refused(R"({"version":1,"stations":"none"})");
  refused(
      R"({"version":1,"stations":[{"id":"../x","seed":1,"preset":"","settings":{},"sample_time":0,"phrases":[]}]})");
  refused(
      R"({"version":1,"stations":[{"id":"x","seed":-1,"preset":"","settings":{},"sample_time":0,"phrases":[]}]})");
  refused(
      R"({"version":1,"stations":[{"id":"x","seed":1,"preset":"","settings":{},"sample_time":-5,"phrases":[]}]})");
  for (const char* member : {R"("owner":7)", R"("owner":"a b")", R"("made_from":"a
")",
                             R"("is_kept":1)", R"("heard_at":-1)", R"("heard_at":"now")"})
    refused(
        R"({"version":1,"stations":[{"id":"x","seed":1,"preset":"","settings":{},"sample_time":0,"phrases":[],)" +
        std::string(member) + "}]}");
}

TEST(StationRecord, AnIdentifierIsSafeInAnAddress) {
  EXPECT_TRUE(is_identifier("a"));
  EXPECT_TRUE(is_identifier("A-b_9"));
  EXPECT_TRUE(is_identifier(std::string(32, 'x')));
  for (const std::string text : {"", "a/b", "..", "a b", "ä", "a\n", "%41"})
    EXPECT_FALSE(is_identifier(text));
  EXPECT_FALSE(is_identifier(std::string(33, 'x')));
}

}  // namespace
}  // namespace ringwave::stream
