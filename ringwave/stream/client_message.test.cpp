// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/client_message.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/settings_json.hpp"

namespace ringwave::stream {
namespace {

/// The code of the refusal; "" where there is none.
std::string refusal_of(const std::string& text) {
  try {
    (void)parse_client_message(text);
    return "";
  } catch (const Refusal& refusal) {
    EXPECT_GT(std::string(refusal.what()).size(), 10U);
    return std::string(to_string(refusal.code()));
  }
}

TEST(ClientMessage, ChangesSomeSettings) {
  const auto message = parse_client_message(R"({"type":"settings","key":"Bb","bpm":72.5,"layers":["pads"]})");
  const auto& change = std::get<ChangeMessage>(message);
  const music::Settings base{.mode = music::Mode::lydian, .intensity = 0.25};
  const music::Settings made = settings_from(change.settings, base);
  EXPECT_EQ(made, (music::Settings{.key = 10,
                                   .mode = music::Mode::lydian,
                                   .bpm = 72.5,
                                   .intensity = 0.25,
                                   .layers = {music::Layer::pads}}));
}

TEST(ClientMessage, ChoosesAPresetReportsItsBufferAndPings) {
  EXPECT_EQ(std::get<PresetMessage>(parse_client_message(R"({"type":"preset","name":"sleep"})")).name,
            "sleep");
  const auto report = std::get<BufferControl::Report>(
      parse_client_message(R"({"type":"buffer","depth_seconds":0.7,"jitter_ms":12,"underruns":3})"));
  EXPECT_EQ(report.depth_seconds, 0.7);
  EXPECT_EQ(report.jitter_ms, 12);
  EXPECT_EQ(report.underruns, 3U);
  EXPECT_EQ(std::get<PingMessage>(parse_client_message(R"({"type":"ping","id":7})")).id, "7");
  EXPECT_EQ(std::get<PingMessage>(parse_client_message(R"({"type":"ping","id":"a\"b"})")).id, R"("a\"b")");
  EXPECT_EQ(std::get<PingMessage>(parse_client_message(R"({"type":"ping"})")).id, "null");
}

TEST(ClientMessage, ShowsASecret) {
  EXPECT_EQ(std::get<OwnMessage>(parse_client_message(R"({"type":"own","secret":"abc"})")).secret, "abc");
  const std::string long_one(200, 'x');  // as an administrator's token may be
  EXPECT_EQ(
      std::get<OwnMessage>(parse_client_message(R"({"type":"own","secret":")" + long_one + R"("})")).secret,
      long_one);
  EXPECT_EQ(refusal_of(R"({"type":"own"})"), "wrong_type");
  EXPECT_EQ(refusal_of(R"({"type":"own","secret":7})"), "wrong_type");
  EXPECT_EQ(refusal_of(R"({"type":"own","secret":"a","id":"b"})"), "unknown_member");
}

TEST(ClientMessage, RefusesWhatIsWrongByItsCode) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "bad_json"},
      {"{", "bad_json"},
      {"[1]", "wrong_type"},
      {"null", "wrong_type"},
      {R"({"type":"ping"} x)", "bad_json"},
      {"{\"type\":\"ping\",\"id\":\"\xff\"}", "bad_json"},
      {R"({"type":"ping","type":"buffer"})", "bad_json"},
      {R"({"type":"ping","id":[[[[[[[[[[1]]]]]]]]]]})", "bad_json"},
      {R"({})", "wrong_type"},
      {R"({"type":7})", "wrong_type"},
      {R"({"type":"dance"})", "unknown_type"},
      {R"({"type":"ping","id":true})", "wrong_type"},
      {R"({"type":"ping","extra":1})", "unknown_member"},
      {R"({"type":"settings","tempo":60})", "unknown_member"},
      {R"({"type":"settings","bpm":"60"})", "wrong_type"},
      {R"({"type":"settings","bpm":NaN})", "bad_json"},
      {R"({"type":"settings","bpm":1e999})", "bad_json"},
      {R"({"type":"settings","bpm":400})", "out_of_range"},
      {R"({"type":"settings","intensity":-0.1})", "out_of_range"},
      {R"({"type":"settings","mode":"jazz"})", "unknown_name"},
      {R"({"type":"settings","key":"H"})", "unknown_name"},
      {R"({"type":"settings","key":2})", "wrong_type"},
      {R"({"type":"settings","layers":"pads"})", "wrong_type"},
      {R"({"type":"settings","layers":["drums"]})", "unknown_name"},
      {R"({"type":"settings","layers":["pads","pads","pads","pads","pads","pads","pads","pads"]})",
       "out_of_range"},
      {R"({"type":"preset"})", "wrong_type"},
      {R"({"type":"preset","name":")" + std::string(65, 'x') + "\"}", "too_large"},
      {R"({"type":"buffer","depth_seconds":1,"jitter_ms":2})", "wrong_type"},
      {R"({"type":"buffer","depth_seconds":-1,"jitter_ms":2,"underruns":0})", "out_of_range"},
      {std::string(kLargestClientMessage + 1, ' '), "too_large"},
  };
  for (const auto& [text, code] : cases) EXPECT_EQ(refusal_of(text), code) << text;
}

TEST(SettingsJson, ComesBackAsItWas) {
  const music::Settings settings{.key = 11,
                                 .mode = music::Mode::harmonic_minor,
                                 .bpm = 41.25,
                                 .intensity = 0.1,
                                 .melody_complexity = 0.2,
                                 .progression_variety = 0.3,
                                 .harmonic_density = 1,
                                 .layers = {music::Layer::hats, music::Layer::bass}};
  EXPECT_EQ(settings_from(to_json(settings), {}), settings);
  EXPECT_EQ(settings_from(nlohmann::json::parse(to_json(settings).dump()), {}), settings);
}

TEST(SettingsJson, ASeedIsAWholeNumberThatJsonHolds) {
  EXPECT_EQ(seed_from(nlohmann::json(9007199254740991U)), 9007199254740991U);
  EXPECT_THROW((void)seed_from(nlohmann::json(9007199254740992U)), Refusal);
  EXPECT_THROW((void)seed_from(nlohmann::json(-1)), Refusal);
  EXPECT_THROW((void)seed_from(nlohmann::json(1.5)), Refusal);
  EXPECT_THROW((void)seed_from(nlohmann::json("7")), Refusal);
}

}  // namespace
}  // namespace ringwave::stream
