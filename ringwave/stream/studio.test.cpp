// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/studio.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/music/conductor.hpp"
#include "ringwave/stream/frame_header.hpp"
#include "ringwave/stream/live_station.hpp"
#include "ringwave/stream/refusal.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/test_label.hpp"

namespace ringwave::stream {
namespace {

using io::StreamFormat;

constexpr std::size_t kBlockSamples = 2 * Studio::kBlockFrames;

Studio::Spec small(Device device = Device::cpu()) {
  // A sanitizer makes a machine slow, and the load high.
  return {.device = device, .most_stations = 8, .most_playing = 2, .render_threads = 1, .most_load = 100};
}

/// Waits for what another thread does; no test depends on when.
void wait_until(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_so()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::vector<PacketPtr> hear(Listener& listener, std::size_t packets) {
  std::vector<PacketPtr> heard;
  std::array<PacketPtr, 8> taken;
  wait_until([&] {
    const std::size_t count =
        listener.take(std::span(taken).first(std::min(taken.size(), packets - heard.size())));
    heard.insert(heard.end(), taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(count));
    return heard.size() == packets;
  });
  return heard;
}

std::vector<nlohmann::json> news_of(Listener& listener) {
  std::vector<nlohmann::json> news;
  std::array<PacketPtr, 4> taken;
  while (const std::size_t count = listener.take_news(taken))
    for (std::size_t i = 0; i < count; ++i) {
      const auto& bytes = taken[i]->bytes;
      news.push_back(
          nlohmann::json::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
    }
  return news;
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Refusal& refusal) {
    return std::string(to_string(refusal.code()));
  }
  return "";
}

std::vector<std::int16_t> samples_of(const std::vector<PacketPtr>& packets) {
  std::vector<std::int16_t> samples(packets.size() * kBlockSamples);
  for (std::size_t i = 0; i < packets.size(); ++i)
    std::memcpy(samples.data() + i * kBlockSamples, packets[i]->bytes.data() + FrameHeader::kBytes,
                2 * kBlockSamples);
  return samples;
}

int loudest(const std::vector<std::int16_t>& samples) {
  return *std::ranges::max_element(samples);
}

/// What the renderer alone makes of settings and a seed, in the same slot.
std::vector<std::int16_t> rendered(Device device, const music::Settings& settings, std::uint64_t seed,
                                   std::size_t blocks) {
  synth::Renderer renderer(
      device,
      {.stations = 1, .max_block_frames = Studio::kBlockFrames, .format = synth::Renderer::Format::int16});
  synth::StationEffects effects = synth::effects_of(settings);
  effects.loudness_lufs = -16;
  EXPECT_EQ(renderer.start(0, effects), Status::ok);
  synth::Performer performer({.voices = LiveStation::kVoices, .spares = LiveStation::kSpares},
                             renderer.spec().patches);
  music::Conductor conductor(settings, seed, Studio::kSampleRateHz);
  performer.add(synth::notes_of(conductor.next_phrase()));
  std::vector<std::int16_t> samples;
  std::vector<synth::VoiceEvent> events;
  for (std::size_t i = 0; i < blocks; ++i) {
    events.clear();
    performer.perform(Studio::kBlockFrames, 0, events);
    EXPECT_EQ(renderer.submit(events, Studio::kBlockFrames), Status::ok);
    EXPECT_EQ(renderer.fetch(), Status::ok);
    const auto block = renderer.pcm(0);
    samples.insert(samples.end(), block.begin(), block.end());
  }
  return samples;
}

class StudioOn : public testing::TestWithParam<Device> {};

TEST_P(StudioOn, AListenerHearsTheSeedsSamplesFromTheFirstOn) {
  Studio studio(small(GetParam()));
  EXPECT_EQ(studio.device(), GetParam());
  const StationInfo made = studio.create({.settings = {.bpm = 90}, .seed = 7});
  EXPECT_FALSE(made.is_playing);
  const auto listener = studio.listen(made.id, StreamFormat::pcm, 1);
  const auto heard = hear(*listener, 60);
  for (std::size_t i = 0; i < heard.size(); ++i) {
    const auto header = FrameHeader::parse(heard[i]->bytes);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->sequence, i);
    EXPECT_EQ(header->sample_time, i * Studio::kBlockFrames);
    EXPECT_EQ(header->flags, i == 0 ? FrameHeader::kDiscontinuous : 0);
  }
  const auto samples = samples_of(heard);
  EXPECT_EQ(samples, rendered(GetParam(), {.bpm = 90}, 7, heard.size()));
  EXPECT_GT(loudest(samples), 100) << "it is no silence";
}

TEST(Studio, AllWhoListenShareOnePacketAndALateOneGetsTheSecondsBefore) {
  Studio studio(small());
  const std::string id = studio.create({.seed = 1}).id;
  const auto first = studio.listen(id, StreamFormat::opus, 0);
  const auto early = hear(*first, 30);
  const auto second = studio.listen(id, StreamFormat::opus, 0.2);
  const auto late = hear(*second, 20);
  EXPECT_GE(late[0]->sequence + 12, early.back()->sequence) << "about ten packets before the newest";
  const auto more = hear(*first, late.back()->sequence - early.back()->sequence);
  EXPECT_EQ(more.back(), late.back()) << "the same object";
  EXPECT_EQ(studio.find(id).listeners, 2);
  EXPECT_EQ(studio.stats().playing, 1);
}

TEST(Studio, AMachineThatHasEnoughToDoWakesNoFurtherStation) {
  Studio::Spec spec = small();
  spec.most_load = 0;
  Studio studio(std::move(spec));
  const std::string first = studio.create({.seed = 1}).id;
  const std::string second = studio.create({.seed = 2}).id;
  const auto listener = studio.listen(first, StreamFormat::opus, 0);
  (void)hear(*listener, 3);
  wait_until([&] { return studio.stats().load > 0 && studio.stats().encode_load > 0; });
  EXPECT_EQ(refusal_of([&] { (void)studio.listen(second, StreamFormat::opus, 0); }), "overloaded");
  const auto other = studio.listen(first, StreamFormat::opus, 0);
  EXPECT_FALSE(hear(*other, 3).empty()) << "one who listens costs nothing";
}

TEST(Studio, NewSettingsAreInTheNextPhraseAndAllAreTold) {
  Studio studio(small());
  const std::string id = studio.create({.settings = {.bpm = 120}, .seed = 3}).id;
  const auto listener = studio.listen(id, StreamFormat::pcm, 0);
  (void)hear(*listener, 5);
  auto news = news_of(*listener);
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0]["type"], "phrase");
  EXPECT_EQ(news[0]["phrase"], 0);
  EXPECT_EQ(news[0]["ends_at"], 8 * 48000);
  EXPECT_GT(news[0]["notes"].size(), 4U);
  const StationInfo changed = studio.change(id, {.key = 9, .bpm = 120}, "mine");
  EXPECT_EQ(changed.applies_at, 8 * 48000);
  news = news_of(*listener);
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0]["type"], "settings");
  EXPECT_EQ(news[0]["settings"]["key"], "A");
  EXPECT_EQ(news[0]["preset"], "mine");
  EXPECT_EQ(news[0]["applies_at"], 8 * 48000);
  wait_until([&] { return listener->has_news(); });
  news = news_of(*listener);
  EXPECT_EQ(news[0]["phrase"], 1);
  EXPECT_EQ(news[0]["begins_at"], 8 * 48000);
  EXPECT_EQ(news[0]["settings"]["key"], "A");
  // The next phrase is known, and the one before it still sounds.
  const auto late = studio.listen(id, StreamFormat::pcm, 0);
  std::vector<int> phrases;
  for (const auto& text : news_of(*late))
    if (text["type"] == "phrase") phrases.push_back(text["phrase"]);
  EXPECT_EQ(phrases, (std::vector<int>{0, 1}));
}

TEST_P(StudioOn, AStationSleepsWhenNobodyListensAndGoesOnWhereItWas) {
  Studio::Spec spec = small(GetParam());
  spec.linger_seconds = 0;
  Studio studio(spec);
  const std::string id = studio.create({.seed = 5}).id;
  (void)hear(*studio.listen(id, StreamFormat::pcm, 0), 20);
  wait_until([&] { return !studio.find(id).is_playing; });
  const std::int64_t slept_at = studio.find(id).sample_time;
  EXPECT_GE(slept_at, 20 * Studio::kBlockFrames);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(studio.find(id).sample_time, slept_at);
  const auto listener = studio.listen(id, StreamFormat::pcm, 2);
  const auto heard = hear(*listener, 30);
  EXPECT_EQ(heard[0]->sample_time, slept_at) << "what was before is not heard again";
  EXPECT_EQ(FrameHeader::parse(heard[0]->bytes)->flags, FrameHeader::kDiscontinuous);
  EXPECT_EQ(studio.find(id).phrase, 0);
  EXPECT_EQ(news_of(*listener).size(), 1U) << "nothing of before it slept";
  EXPECT_GT(loudest(samples_of(heard)), 100) << "what is held sounds again";
}

TEST(Studio, StationsComeBackFromTheirFileAtTheirPlace) {
  const TemporaryFolder folder;
  Studio::Spec spec = small();
  spec.state_path = folder / "stations.json";
  std::int64_t saved_at = 0;
  {
    Studio studio(spec);
    (void)studio.create({.id = "mine", .preset = "sleep", .settings = {.bpm = 120}, .seed = 77});
    const auto listener = studio.listen("mine", StreamFormat::opus, 0);
    (void)hear(*listener, 430);  // into the second phrase
    studio.save();
    saved_at = studio.find("mine").sample_time;
  }
  Studio studio(spec);
  const StationInfo found = studio.find("mine");
  EXPECT_EQ(found.seed, 77U);
  EXPECT_EQ(found.preset, "sleep");
  EXPECT_GE(found.sample_time, saved_at - Studio::kBlockFrames);
  EXPECT_EQ(found.phrase, 1);
  const auto listener = studio.listen("mine", StreamFormat::opus, 0);
  EXPECT_EQ(hear(*listener, 1)[0]->sample_time, found.sample_time);
  EXPECT_EQ(news_of(*listener)[0]["begins_at"], 8 * 48000) << "in the middle of the phrase that it was in";
}

TEST(Studio, ATornFileIsPutAsideAndSaidSo) {
  const TemporaryFolder folder;
  TemporaryFolder::write(folder / "stations.json", "{\"version\": 1, \"stat");
  std::string said;
  Studio::Spec spec = small();
  spec.state_path = folder / "stations.json";
  spec.report = [&said](const std::string& sentence) { said += sentence; };
  const Studio studio(spec);
  EXPECT_TRUE(studio.list().empty());
  EXPECT_NE(said.find("stations.json.bad"), std::string::npos) << said;
  EXPECT_EQ(TemporaryFolder::content(folder / "stations.json.bad"), "{\"version\": 1, \"stat");
}

TEST(Studio, RefusesByCode) {
  Studio studio(small());
  (void)studio.create({.id = "a"});
  EXPECT_EQ(refusal_of([&] { (void)studio.create({.id = "a"}); }), "exists");
  EXPECT_EQ(refusal_of([&] { (void)studio.create({.id = "a/b"}); }), "out_of_range");
  EXPECT_EQ(refusal_of([&] { (void)studio.find("b"); }), "not_found");
  EXPECT_EQ(refusal_of([&] { (void)studio.change("b", {}, ""); }), "not_found");
  EXPECT_EQ(refusal_of([&] { studio.remove("b"); }), "not_found");
  EXPECT_EQ(refusal_of([&] { (void)studio.listen("b", StreamFormat::pcm, 0); }), "not_found");
  EXPECT_EQ(refusal_of([&] { (void)studio.replay("a", 1); }), "out_of_range");
  EXPECT_THROW((void)studio.create({.settings = {.bpm = 1000}}), InvalidArgument);
  for (int i = 1; i < 8; ++i) (void)studio.create({});
  EXPECT_EQ(refusal_of([&] { (void)studio.create({}); }), "limit_reached");
  EXPECT_EQ(studio.list().size(), 8U);
}

TEST(Studio, AsManyStationsPlayAsThereArePlaces) {
  Studio::Spec spec = small();
  spec.linger_seconds = 0;
  Studio studio(spec);
  std::vector<std::unique_ptr<Listener>> listeners;
  for (const char* id : {"a", "b", "c"}) (void)studio.create({.id = id});
  listeners.push_back(studio.listen("a", StreamFormat::pcm, 0));
  listeners.push_back(studio.listen("b", StreamFormat::pcm, 0));
  EXPECT_EQ(refusal_of([&] { (void)studio.listen("c", StreamFormat::pcm, 0); }), "overloaded");
  listeners.push_back(studio.listen("a", StreamFormat::opus, 0));
  listeners.erase(listeners.begin() + 1);
  wait_until([&] {
    return refusal_of([&] { listeners.push_back(studio.listen("c", StreamFormat::pcm, 0)); }).empty();
  });
  EXPECT_EQ(hear(*listeners.back(), 3)[0]->sample_time, 0);
}

TEST(Studio, ARemovedStationEndsForThoseWhoListen) {
  Studio studio(small());
  (void)studio.create({.id = "a"});
  const auto listener = studio.listen("a", StreamFormat::pcm, 0);
  (void)hear(*listener, 3);
  studio.remove("a");
  EXPECT_TRUE(studio.is_gone("a"));
  EXPECT_EQ(studio.stats().stations, 0);
  EXPECT_EQ(studio.stats().playing, 0);
}

TEST(Studio, EveryFormatComesInPieces) {
  Studio studio(small());
  (void)studio.create({.id = "a"});
  for (const StreamFormat format : io::kStreamFormats) {
    const auto listener = studio.listen("a", format, 0);
    const bool is_bare = format == StreamFormat::pcm || format == StreamFormat::opus;
    EXPECT_EQ(listener->header().empty(),
              is_bare || format == StreamFormat::mp3 ? listener->header().empty() : false);
    const auto heard = hear(*listener, 3);
    EXPECT_GT(heard[0]->bytes.size(), is_bare ? FrameHeader::kBytes : 0U) << to_string(format);
    EXPECT_GT(studio.encode_seconds(format).total(), 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, StudioOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(Studio, RefusesASpecThatCannotBe) {
  EXPECT_THROW(Studio({.device = Device::cpu(), .most_playing = 0}), InvalidArgument);
  EXPECT_THROW(Studio({.device = Device::cpu(), .history_seconds = 0}), InvalidArgument);
}

TEST(Studio, RemovesWhatNobodyHeardForSoLongButWhatIsKept) {
  Studio::Spec spec = small();
  spec.expire_days = 1e-6;
  Studio studio(spec);
  studio.create({.id = "kept", .owner = {.is_kept = true}});
  studio.create({.id = "heard"});
  const auto listener = studio.listen("heard", StreamFormat::pcm, 0);
  studio.create({.id = "given"});
  studio.give_to("given", {.secret_hash = "h", .is_kept = true});
  studio.create({.id = "left"});
  wait_until([&] { return studio.is_gone("left"); });
  EXPECT_FALSE(studio.is_gone("kept"));
  EXPECT_FALSE(studio.is_gone("heard"));
  EXPECT_FALSE(studio.is_gone("given"));
  EXPECT_EQ(studio.find("given").owner.secret_hash, "h");
}

TEST(Studio, KnowsAgainWhoseAStationIsAndWhenItWasHeard) {
  const TemporaryFolder folder;
  Studio::Spec spec = small();
  spec.state_path = folder / "stations.json";
  std::int64_t heard_at = 0;
  {
    Studio studio(spec);
    const StationInfo made =
        studio.create({.id = "a", .owner = {.secret_hash = "h", .address = "192.0.2.1"}});
    EXPECT_GT(made.heard_at, 1'700'000'000);
    heard_at = made.heard_at;
  }
  Studio studio(spec);
  EXPECT_EQ(studio.find("a").owner.secret_hash, "h");
  EXPECT_EQ(studio.find("a").owner.address, "192.0.2.1");
  EXPECT_EQ(studio.find("a").heard_at, heard_at);
}

}  // namespace
}  // namespace ringwave::stream
