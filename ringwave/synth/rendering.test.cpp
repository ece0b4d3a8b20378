// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/rendering.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ringwave/core/error.hpp"
#include "tests/accuracy.hpp"
#include "tests/test_label.hpp"

namespace ringwave::synth {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Kind = music::MidiFile::Kind;

constexpr int kRateHz = 48000;

std::unique_ptr<Piece> composed(std::uint64_t seed) {
  return std::make_unique<ComposedPiece>(music::Settings{.bpm = 90, .intensity = 0.9}, seed, kRateHz);
}

/// One note, which is let go after some beats of half a second.
std::unique_ptr<Piece> note_of(int beats, int key) {
  music::MidiFile file;
  file.ticks_per_beat = 480;
  file.events = {{0, Kind::note_on, 0, static_cast<std::uint8_t>(key), 100, 0},
                 {480 * beats, Kind::note_off, 0, static_cast<std::uint8_t>(key), 0, 0}};
  file.end_tick = 480 * beats;
  return std::make_unique<MidiPiece>(std::make_shared<const MidiPerformance>(file, kRateHz));
}

/// Stations, and what was heard of them, left and right in turn.
struct Heard {
  std::vector<std::vector<float>> samples;
  std::vector<std::int64_t> frames;
};

Heard render(Device device, std::vector<std::unique_ptr<Piece>> pieces, std::optional<std::int64_t> frames,
             int block_frames = 480) {
  Heard heard{std::vector<std::vector<float>>(pieces.size()), {}};
  std::vector<Rendering::Station> stations;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    stations.push_back(
        {.piece = std::move(pieces[i]), .hear = [&own = heard.samples[i]](BlockView<const float> block) {
           for (std::size_t n = 0; n < static_cast<std::size_t>(block.frames()); ++n)
             for (int side = 0; side < 2; ++side) own.push_back(block.channel(side)[n]);
         }});
  heard.frames = render_batch({.device = device, .sample_rate_hz = kRateHz, .block_frames = block_frames},
                              std::move(stations), frames);
  return heard;
}

template <class... Pieces>
std::vector<std::unique_ptr<Piece>> list(Pieces... pieces) {
  std::vector<std::unique_ptr<Piece>> made;
  (made.push_back(std::move(pieces)), ...);
  return made;
}

class RenderBatchOn : public testing::TestWithParam<Device> {};

TEST_P(RenderBatchOn, APieceAmongOthersIsThatPieceAlone) {
  const Heard together = render(GetParam(), list(composed(1), composed(2), composed(3)), 3 * kRateHz, 4096);
  for (std::size_t i = 0; i < 3; ++i) {
    const Heard alone = render(GetParam(), list(composed(i + 1)), 3 * kRateHz, 100);
    ASSERT_EQ(together.samples[i].size(), 6U * kRateHz);
    EXPECT_GT(*std::ranges::max_element(together.samples[i]), 0.01F);
    EXPECT_EQ(together.samples[i], alone.samples[0]) << "seed " << i + 1;
  }
  EXPECT_NE(together.samples[0], together.samples[1]);
  EXPECT_EQ(together.frames, std::vector<std::int64_t>(3, 3 * kRateHz));
}

TEST_P(RenderBatchOn, SoundsAsOnTheCpu) {
  constexpr double kLeastDb = 100;  // what the twins of a renderer agree to
  const Heard found = render(GetParam(), list(composed(7), note_of(2, 60)), 4 * kRateHz);
  const Heard truth = render(Device::cpu(), list(composed(7), note_of(2, 60)), 4 * kRateHz);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_GT(accuracy_db(found.samples[i], truth.samples[i]), kLeastDb);
}

INSTANTIATE_TEST_SUITE_P(Devices, RenderBatchOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(RenderBatch, EveryPieceEndsWhenItHasDiedAway) {
  const Heard both = render(Device::cpu(), list(note_of(1, 60), note_of(6, 67), note_of(2, 64)), {});
  for (const auto& [number, beats] : {std::pair{0, 1}, {1, 6}, {2, 2}}) {
    const auto i = static_cast<std::size_t>(number);
    const std::int64_t let_go = beats * kRateHz / 2;
    EXPECT_GT(both.frames[i], let_go);
    EXPECT_LT(both.frames[i], let_go + 10 * kRateHz);
    const std::vector<float>& samples = both.samples[i];
    ASSERT_EQ(static_cast<std::int64_t>(samples.size()), 2 * both.frames[i]);
    // The last 50 ms are below -80 dB.
    for (std::size_t n = samples.size() - 2 * kRateHz / 20; n < samples.size(); ++n)
      ASSERT_LT(std::abs(samples[n]), 1e-4F);
    const Heard alone = render(Device::cpu(), list(note_of(beats, i == 0 ? 60 : i == 1 ? 67 : 64)), {});
    EXPECT_EQ(samples, alone.samples[0]);
  }
  EXPECT_NE(both.frames[0], both.frames[1]);
}

TEST(RenderBatch, AStationMayEndWithAnother) {
  std::vector<Rendering::Station> stations;
  stations.push_back({.piece = note_of(1, 60), .hear = [](BlockView<const float>) {}});
  stations.push_back({.piece = composed(1), .ends_with = 0, .hear = [](BlockView<const float>) {}});
  const auto frames = render_batch({.device = Device::cpu()}, std::move(stations), {});
  EXPECT_EQ(frames[0], frames[1]);
  EXPECT_GT(frames[0], kRateHz / 2);
}

TEST(RenderBatch, TellsHowFarItIsAndEndsWhereItsListenerThrows) {
  std::vector<Rendering::Station> stations;
  stations.push_back({.piece = composed(1), .hear = [](BlockView<const float>) {}});
  std::int64_t last = -1;
  EXPECT_THROW((void)render_batch({.device = Device::cpu()}, std::move(stations), 100 * kRateHz,
                                  [&last](std::int64_t heard) {
                                    EXPECT_GE(heard, last);
                                    last = heard;
                                    if (heard > kRateHz) throw std::runtime_error("enough");
                                  }),
               std::runtime_error);
  EXPECT_GT(last, kRateHz);
  EXPECT_LT(last, 2 * kRateHz);
}

TEST(RenderBatch, RefusesWhatCannotBeRendered) {
  const auto render_one = [](Rendering::Station station, std::optional<std::int64_t> frames = 100) {
    std::vector<Rendering::Station> stations;
    stations.push_back(std::move(station));
    (void)render_batch({.device = Device::cpu()}, std::move(stations), frames);
  };
  const auto deaf = [](BlockView<const float>) {};
  EXPECT_THAT([&] { (void)render_batch({.device = Device::cpu()}, {}, 100); },
              ThrowsMessage<InvalidArgument>(HasSubstr("without a station")));
  EXPECT_THAT([&] { render_one({.piece = composed(1), .hear = deaf}, std::nullopt); },
              ThrowsMessage<InvalidArgument>(HasSubstr("a piece without an end")));
  EXPECT_THAT([&] { render_one({.piece = nullptr, .hear = deaf}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("station 0 has no piece")));
  EXPECT_THROW(render_one({.piece = composed(1), .hear = {}}), InvalidArgument);
  EXPECT_THROW(render_one({.piece = composed(1), .part = 100, .hear = deaf}), InvalidArgument);
  EXPECT_THAT([&] { render_one({.piece = composed(1), .ends_with = 0, .hear = deaf}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("is not before it")));
}

}  // namespace
}  // namespace ringwave::synth
