// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/midi_performance.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "ringwave/core/error.hpp"
#include "ringwave/music/midi_clock.hpp"

namespace ringwave::synth {
namespace {

using music::MidiFile;
using Kind = MidiFile::Kind;

/// At 120 beats a minute a tick of 480 a beat is 50 frames of 48 kHz.
MidiFile file_of(std::vector<MidiFile::Event> events) {
  MidiFile file;
  file.ticks_per_beat = 480;
  file.events = std::move(events);
  file.end_tick = 10'000;
  return file;
}

TEST(MidiPerformance, NotesHaveTheirTimesAndTheirStrength) {
  const MidiPerformance found(file_of({{0, Kind::control, 2, 7, 127, 0},
                                       {100, Kind::note_on, 2, 60, 127, 0},
                                       {300, Kind::note_off, 2, 60, 0, 0},
                                       {300, Kind::note_on, 2, 64, 64, 0}}),
                              48000);
  ASSERT_EQ(found.notes.size(), 2U);
  EXPECT_EQ(found.notes[0].begin_frame, 5000);
  EXPECT_EQ(found.notes[0].end_frame, 15000);
  EXPECT_EQ(found.notes[0].key, 60);
  EXPECT_EQ(found.notes[0].velocity, 1);
  EXPECT_EQ(found.notes[0].channel, 2);
  EXPECT_EQ(found.notes[1].end_frame, 500'000) << "what is never let go ends with the file";
  EXPECT_NEAR(found.notes[1].velocity, 0.504, 0.001);
  EXPECT_EQ(found.end_frame, 500'000);
}

TEST(MidiPerformance, ThePedalHoldsWhatIsLetGo) {
  const MidiPerformance found(file_of({{0, Kind::note_on, 0, 60, 100, 0},
                                       {10, Kind::control, 0, 64, 127, 0},
                                       {20, Kind::note_off, 0, 60, 0, 0},
                                       {30, Kind::note_on, 0, 62, 100, 0},
                                       {40, Kind::control, 0, 64, 0, 0},
                                       {50, Kind::note_off, 0, 62, 0, 0}}),
                              48000);
  ASSERT_EQ(found.notes.size(), 2U);
  EXPECT_EQ(found.notes[0].end_frame, 40 * 50);
  EXPECT_EQ(found.notes[1].end_frame, 50 * 50) << "its key was still down";
}

TEST(MidiPerformance, AKeyThatIsStruckTwiceIsTwoNotes) {
  const MidiPerformance found(file_of({{0, Kind::note_on, 0, 60, 100, 0},
                                       {10, Kind::note_on, 0, 60, 100, 0},
                                       {20, Kind::note_off, 0, 60, 0, 0},
                                       {30, Kind::note_off, 0, 60, 0, 0},
                                       {40, Kind::note_off, 0, 60, 0, 0}}),
                              48000);
  ASSERT_EQ(found.notes.size(), 2U);
  EXPECT_EQ(found.notes[0].end_frame, 20 * 50);
  EXPECT_EQ(found.notes[1].end_frame, 30 * 50);
}

TEST(MidiPerformance, AllNotesOffEndsThemAndOthersAreLeftAlone) {
  const MidiPerformance found(file_of({{0, Kind::note_on, 0, 60, 100, 0},
                                       {0, Kind::note_on, 1, 60, 100, 0},
                                       {10, Kind::control, 0, 123, 0, 0}}),
                              48000);
  EXPECT_EQ(found.notes[0].end_frame, 10 * 50);
  EXPECT_EQ(found.notes[1].end_frame, 500'000);
}

TEST(MidiPerformance, MoreNotesThanKeysEndTheOldest) {
  std::vector<MidiFile::Event> events;
  for (int i = 0; i < 1000; ++i)
    events.push_back({i, Kind::note_on, 0, static_cast<std::uint8_t>(i % 128), 100, 0});
  const MidiPerformance found(file_of(std::move(events)), 48000);
  ASSERT_EQ(found.notes.size(), 1000U);
  EXPECT_EQ(found.notes[0].end_frame, 128 * 50);
  EXPECT_EQ(found.notes[871].end_frame, 999 * 50);
  EXPECT_EQ(found.notes[872].end_frame, 500'000);
}

TEST(MidiPerformance, BendsAreSemitonesOfTheirRange) {
  const MidiPerformance found(file_of({{0, Kind::bend, 3, 0, 96, 0},
                                       {5, Kind::control, 3, 101, 0, 0},
                                       {5, Kind::control, 3, 100, 0, 0},
                                       {5, Kind::control, 3, 6, 12, 0},
                                       {10, Kind::bend, 3, 0, 0, 0},
                                       {20, Kind::bend, 3, 0, 64, 0}}),
                              48000);
  ASSERT_EQ(found.bends.size(), 3U);
  EXPECT_EQ(found.bends[0].semitones, 1) << "half of two";
  EXPECT_EQ(found.bends[1].semitones, -12);
  EXPECT_EQ(found.bends[2].semitones, 0);
  EXPECT_EQ(found.bends[1].frame, 10 * 50);
}

TEST(MidiPerformance, ProgramsPercussionAndPanFindTheirVoices) {
  const MidiPerformance found(file_of({{0, Kind::program, 0, 33, 0, 0},
                                       {0, Kind::control, 0, 10, 0, 0},
                                       {0, Kind::note_on, 0, 40, 100, 0},
                                       {0, Kind::program, 0, 90, 0, 0},
                                       {0, Kind::control, 0, 10, 127, 0},
                                       {0, Kind::note_on, 0, 60, 100, 0},
                                       {0, Kind::note_on, 9, 36, 100, 0},
                                       {0, Kind::note_on, 9, 42, 100, 0}}),
                              48000);
  ASSERT_EQ(found.notes.size(), 4U);
  EXPECT_EQ(found.notes[0].voice, "bass");
  EXPECT_EQ(found.notes[0].pan, -1);
  EXPECT_EQ(found.notes[1].voice, "pad");
  EXPECT_EQ(found.notes[1].pan, 1);
  EXPECT_EQ(found.notes[2].voice, "kick");
  EXPECT_EQ(found.notes[3].voice, "hat");
  for (int program = 0; program < 128; ++program) EXPECT_FALSE(voice_of_program(program).empty());
}

TEST(MidiPerformance, OfRealFilesEveryNoteEnds) {
  const std::filesystem::path folder = "/usr/share/games/openttd/baseset/openmsx";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "Debian's openttd-openmsx is not installed";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".mid") continue;
    ++files;
    const MidiFile file = MidiFile::load(entry.path());
    const MidiPerformance found(file, 48000);
    EXPECT_GT(found.notes.size(), 500U) << entry.path();
    EXPECT_NEAR(static_cast<double>(found.end_frame),
                48000 * music::MidiClock(file).seconds_at(file.end_tick), 1);
    std::int64_t before = 0;
    for (const MidiPerformance::Note& note : found.notes) {
      ASSERT_GE(note.begin_frame, before);
      ASSERT_GE(note.end_frame, note.begin_frame);
      ASSERT_LE(note.end_frame, found.end_frame);
      before = note.begin_frame;
    }
  }
  EXPECT_GE(files, 20);
}

TEST(MidiPerformance, RefusesARateThatIsNone) {
  EXPECT_THROW(MidiPerformance(file_of({}), 0), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::synth
