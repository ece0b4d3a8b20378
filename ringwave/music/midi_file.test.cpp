// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/midi_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ringwave/core/error.hpp"
#include "ringwave/music/composer.hpp"
#include "ringwave/music/midi_clock.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::music {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Bytes = std::vector<std::uint8_t>;
using Event = MidiFile::Event;
using Kind = MidiFile::Kind;

Bytes header(int format, int tracks, int division) {
  return {'M',
          'T',
          'h',
          'd',
          0,
          0,
          0,
          6,
          0,
          static_cast<std::uint8_t>(format),
          0,
          static_cast<std::uint8_t>(tracks),
          static_cast<std::uint8_t>(division >> 8),
          static_cast<std::uint8_t>(division & 255)};
}

Bytes with_track(Bytes file, const Bytes& track) {
  for (const char letter : {'M', 'T', 'r', 'k'}) file.push_back(static_cast<std::uint8_t>(letter));
  for (const int shift : {24, 16, 8, 0}) file.push_back(static_cast<std::uint8_t>(track.size() >> shift));
  file.insert(file.end(), track.begin(), track.end());
  return file;
}

MidiFile parsed(const Bytes& bytes) {
  return MidiFile::parse(bytes, "song.mid");
}

const Bytes kEnd{0, 0xff, 0x2f, 0};

Bytes ended(Bytes track) {
  track.insert(track.end(), kEnd.begin(), kEnd.end());
  return track;
}

TEST(MidiFile, ReadsEveryKindOfEvent) {
  const MidiFile file = parsed(
      with_track(header(0, 1, 96), ended({0,    0xc3, 12,                    // program
                                          0,    0xb3, 64,   127,             // sustain
                                          10,   0x93, 60,   100,             // on
                                          0,    0xa3, 60,   5,               // pressure of a key
                                          0,    0xd3, 77,                    // of the channel
                                          0,    0xe3, 0,    80,              // bend
                                          0x81, 0x00, 0x83, 60,  64,         // off, 128 ticks later
                                          0,    0xf0, 3,    1,   2,  0xf7,   // exclusive: passed over
                                          0,    0xff, 0x7f, 2,   9,  9})));  // somebody's own: passed over
  EXPECT_EQ(file.ticks_per_beat, 96);
  EXPECT_THAT(file.events,
              ElementsAre(Event{0, Kind::program, 3, 12, 0, 0}, Event{0, Kind::control, 3, 64, 127, 0},
                          Event{10, Kind::note_on, 3, 60, 100, 0}, Event{10, Kind::pressure, 3, 60, 5, 0},
                          Event{10, Kind::channel_pressure, 3, 77, 0, 0}, Event{10, Kind::bend, 3, 0, 80, 0},
                          Event{138, Kind::note_off, 3, 60, 64, 0}));
  EXPECT_EQ(file.end_tick, 138);
}

TEST(MidiFile, RunningStatusGoesOnAndVelocityZeroIsAnOff) {
  const MidiFile file = parsed(with_track(header(0, 1, 96), ended({0, 0x90, 60, 100, 5, 64, 90, 5, 60, 0})));
  EXPECT_THAT(file.events,
              ElementsAre(Event{0, Kind::note_on, 0, 60, 100, 0}, Event{5, Kind::note_on, 0, 64, 90, 0},
                          Event{10, Kind::note_off, 0, 60, 0, 0}));
}

TEST(MidiFile, TracksAreMergedInTheOrderOfTime) {
  Bytes bytes =
      with_track(header(1, 2, 96), ended({0, 0xff, 0x03, 2, 'h', 'i', 10, 0x90, 60, 1, 10, 0x80, 60, 0}));
  bytes = with_track(bytes, ended({5, 0x91, 61, 2, 5, 0x81, 61, 0}));
  const MidiFile file = parsed(bytes);
  ASSERT_EQ(file.events.size(), 4U);
  EXPECT_THAT(file.track_names, ElementsAre("hi", ""));
  EXPECT_EQ(file.events[0].track, 1);
  EXPECT_EQ(file.events[1].track, 0) << "at the same tick the first track is first";
  EXPECT_EQ(file.events[2].track, 1);
  EXPECT_EQ(file.end_tick, 20);
}

TEST(MidiFile, ClockFollowsEveryTempo) {
  const MidiFile file = parsed(
      with_track(header(0, 1, 100),
                 ended({0x81, 0x48, 0xff, 0x51, 3, 0x0f, 0x42, 0x40,  // after 200 ticks: a second a beat
                        100,  0xff, 0x58, 4,    3, 3,    24,   8,     // 3/8
                        0,    0xff, 0x51, 3,    3, 0xd0, 0x90})));    // a quarter of a second a beat
  const MidiClock clock(file);
  EXPECT_DOUBLE_EQ(clock.seconds_at(0), 0);
  EXPECT_DOUBLE_EQ(clock.seconds_at(100), 0.5) << "120 beats a minute where nothing is said";
  EXPECT_DOUBLE_EQ(clock.seconds_at(200), 1);
  EXPECT_DOUBLE_EQ(clock.seconds_at(300), 2);
  EXPECT_DOUBLE_EQ(clock.seconds_at(400), 2.25);
  EXPECT_THAT(file.signatures, ElementsAre(MidiFile::Signature{300, 3, 8}));
}

TEST(MidiFile, ClockOfFilmFramesKnowsNoTempo) {
  const Bytes tempo{0, 0xff, 0x51, 3, 0x0f, 0x42, 0x40};
  EXPECT_DOUBLE_EQ(
      MidiClock(parsed(with_track(header(0, 1, (256 - 25) << 8 | 40), ended(tempo)))).seconds_at(1000), 1);
  EXPECT_DOUBLE_EQ(
      MidiClock(parsed(with_track(header(0, 1, (256 - 29) << 8 | 100), ended(tempo)))).seconds_at(3000),
      1.001);
}

TEST(MidiFile, WhatIsNoneOrTornIsToldWithItsPlace) {
  const auto complains = [](const Bytes& bytes, const char* sentence) {
    EXPECT_THAT([&] { (void)parsed(bytes); }, ThrowsMessage<BadFile>(HasSubstr(sentence)));
  };
  complains({}, "song.mid is no MIDI file");
  complains({'R', 'I', 'F', 'F', 0, 0, 0, 0}, "does not begin with MThd");
  complains(header(2, 1, 96), "of format 2; Ringwave reads 0 and 1");
  complains(header(0, 1, 0), "a beat has no ticks");
  complains(header(0, 1, 0xff00), "frames of no known rate");
  complains(header(0, 1, 96), "it ends after 0 of 1 tracks");
  const auto track = [](const Bytes& data) { return with_track(header(0, 1, 96), data); };
  complains(track({0, 60, 100}), "at byte 24 data come before any status");
  complains(track({0, 0x90, 60}), "ends inside an event");
  complains(track({0, 0x90, 0x90, 60}), "a status stands where data should");
  complains(track({0, 0xf8}), "a status is none");
  complains(track({0xff, 0xff, 0xff, 0xff, 0xff}), "more than four bytes");
  complains(track({0, 0xff, 0x51, 3, 0, 0, 0}), "a tempo is without end");
  complains(track({0, 0xff, 0x01, 0x81, 0x00, 1}), "ends inside a meta event");
}

TEST(MidiFile, WhatFollowsTheEndOfATrackIsPassedOver) {
  EXPECT_TRUE(parsed(with_track(header(0, 1, 96), {0, 0xff, 0x2f, 0, 0, 0xf8, 99})).events.empty());
  EXPECT_TRUE(parsed(with_track(header(0, 1, 96), {})).events.empty()) << "a track without an end";
  Bytes bytes = header(0, 1, 96);
  for (const char letter : {'X', 'x', 'X', 'x'}) bytes.push_back(static_cast<std::uint8_t>(letter));
  for (const int byte : {0, 0, 0, 1, 7}) bytes.push_back(static_cast<std::uint8_t>(byte));
  EXPECT_EQ(parsed(with_track(bytes, ended({0, 0x90, 1, 1}))).events.size(), 1U)
      << "a chunk of somebody's own";
}

TEST(MidiFile, ThereAndBackIsTheSame) {
  const Composer composer({}, 5);
  std::vector<Note> notes;
  for (std::int64_t phrase = 0; phrase < 16; ++phrase) {
    const std::vector<Note> more = composer.phrase(phrase);
    notes.insert(notes.end(), more.begin(), more.end());
  }
  MidiFile file = MidiFile::of_notes(notes, 61.5, 64);
  file.tempi.push_back({9999, 123456});
  file.signatures.push_back({9999, 6, 8});
  const MidiFile back = parsed(file.bytes());
  EXPECT_EQ(back.ticks_per_beat, kTicksPerBeat);
  EXPECT_EQ(back.events, file.events);
  EXPECT_EQ(back.tempi, file.tempi);
  EXPECT_EQ(back.signatures, file.signatures);
  EXPECT_EQ(back.track_names, file.track_names);
  EXPECT_EQ(back.end_tick, file.end_tick);
  EXPECT_EQ(back.bytes(), file.bytes());
}

TEST(MidiFile, LongTimesAreWrittenInPieces) {
  MidiFile file;
  file.track_names = {""};
  file.events = {{.tick = std::int64_t{1} << 30, .kind = Kind::note_on, .a = 60, .b = 1}};
  file.end_tick = std::int64_t{1} << 31;
  const MidiFile back = parsed(file.bytes());
  EXPECT_EQ(back.events, file.events);
  EXPECT_EQ(back.end_tick, file.end_tick);
}

TEST(MidiFile, ANoteThatIsRepeatedEndsBeforeItBeginsAgain) {
  const std::vector<Note> notes{{0, Layer::bass, 40, 90, 960}, {960, Layer::bass, 40, 80, 960}};
  const MidiFile file = MidiFile::of_notes(notes, 60, 1);
  ASSERT_EQ(file.events.size(), 5U);
  EXPECT_EQ(file.events[2].kind, Kind::note_off);
  EXPECT_EQ(file.events[3].kind, Kind::note_on);
}

TEST(MidiFile, NoiseIsRefusedOrReadAndNothingElse) {
  std::mt19937 random(1);
  const Bytes good = MidiFile::of_notes(Composer({}, 5).phrase(0), 60, 4).bytes();
  for (int turn = 0; turn < 3000; ++turn) {
    Bytes bytes = good;
    for (int i = 0; i < 5; ++i) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (turn % 3 == 0) bytes.resize(random() % bytes.size());
    try {
      const MidiFile file = parsed(bytes);
      EXPECT_LE(file.events.size(), bytes.size());
      EXPECT_LE(file.end_tick, MidiFile::kLatestTick);
    } catch (const BadFile&) {
    }
  }
}

TEST(MidiFile, LoadsFilesAndNamesThemInItsComplaints) {
  const TemporaryFolder folder;
  const Bytes bytes = with_track(header(0, 1, 96), kEnd);
  TemporaryFolder::write(folder / "a.mid", {bytes.begin(), bytes.end()});
  EXPECT_EQ(MidiFile::load(folder / "a.mid").ticks_per_beat, 96);
  EXPECT_THAT([&] { (void)MidiFile::load(folder / "none.mid"); },
              ThrowsMessage<BadFile>(HasSubstr("none.mid")));
  EXPECT_THROW((void)MidiFile::load(folder / "."), BadFile);
}

}  // namespace
}  // namespace ringwave::music
