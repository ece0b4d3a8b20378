// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/progression.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

namespace ringwave::music {
namespace {

/// How often each chord follows each, over many phrases.
std::map<std::pair<int, int>, int> changes(const Settings& settings) {
  std::map<std::pair<int, int>, int> counts;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Progression progression(settings, seed);
    for (std::int64_t phrase = 0; phrase < 100; ++phrase) {
      const auto chords = progression.phrase(phrase);
      for (std::size_t i = 1; i < chords.size(); ++i)
        ++counts[{chords[i - 1].chord.degree(), chords[i].chord.degree()}];
    }
  }
  return counts;
}

double share_of(const Settings& settings, int from, int to) {
  double all = 0;
  const auto counts = changes(settings);
  for (const auto& [change, count] : counts)
    if (change.first == from) all += count;
  const auto found = counts.find({from, to});
  return found == counts.end() ? 0 : found->second / all;
}

TEST(Progression, ChordsFillEveryPhraseAndEachIsAChange) {
  for (const Mode mode : all_modes()) {
    const Progression progression({.mode = mode}, 7);
    for (std::int64_t phrase = 0; phrase < 200; ++phrase) {
      int bar = 0;
      int before = -1;
      for (const ChordSpan& span : progression.phrase(phrase)) {
        EXPECT_EQ(span.first_bar, bar);
        EXPECT_GT(span.bars, 0);
        EXPECT_NE(span.chord.degree(), before);
        bar += span.bars;
        before = span.chord.degree();
      }
      EXPECT_EQ(bar, Form::kBarsPerPhrase);
    }
  }
}

TEST(Progression, SectionsBeginAtTheTonic) {
  for (const Mode mode : all_modes())
    for (std::int64_t section = 0; section < 50; ++section)
      EXPECT_EQ(Progression({.mode = mode}, 3).phrase(section * Form::kPhrasesPerSection)[0].chord.degree(),
                0);
}

TEST(Progression, EachModeLeansOnItsOwnChord) {
  // In a mode of little variety, the chord that tells it from its neighbour follows the tonic most often.
  const auto share = [](Mode mode, int degree) {
    return share_of({.mode = mode, .progression_variety = 0, .harmonic_density = 1}, 0, degree);
  };
  EXPECT_GT(share(Mode::dorian, 3), 0.3) << "the major fourth";
  EXPECT_GT(share(Mode::phrygian, 1), 0.25) << "the flat second";
  EXPECT_GT(share(Mode::lydian, 1), 0.3) << "the major second";
  EXPECT_GT(share(Mode::mixolydian, 6), 0.2) << "the flat seventh";
  EXPECT_GT(share(Mode::harmonic_minor, 4), 0.2) << "the major fifth";
}

TEST(Progression, VarietyEvensOutWhatFollows) {
  const auto spread = [](double variety) {
    const Settings settings{.mode = Mode::ionian, .progression_variety = variety, .harmonic_density = 1};
    double most = 0;
    double least = 1;
    for (const int degree : {1, 2, 3, 4, 5}) {
      const double share = share_of(settings, 0, degree);
      most = std::max(most, share);
      least = std::min(least, share);
    }
    return most - least;
  };
  EXPECT_GT(spread(0), 2 * spread(1));
}

TEST(Progression, TheDiminishedChordIsAvoidedAtAnyVariety) {
  // Where the mode's table has no way there from the tonic. Locrian's own tonic is diminished.
  const std::array<std::pair<Mode, int>, 6> avoided{{{Mode::ionian, 6},
                                                     {Mode::dorian, 5},
                                                     {Mode::phrygian, 4},
                                                     {Mode::lydian, 3},
                                                     {Mode::mixolydian, 2},
                                                     {Mode::aeolian, 1}}};
  for (const auto& [mode, degree] : avoided)
    for (const auto& [change, count] : changes({.mode = mode, .progression_variety = 1}))
      EXPECT_NE(change.second, degree) << to_string(mode);
}

TEST(Progression, DensityBringsMoreAndRicherChords) {
  const auto count = [](double density) {
    std::size_t chords = 0;
    std::size_t tones = 0;
    const Progression progression({.harmonic_density = density}, 1);
    for (std::int64_t phrase = 0; phrase < 300; ++phrase)
      for (const ChordSpan& span : progression.phrase(phrase)) {
        ++chords;
        tones += span.chord.steps().size();
      }
    return std::pair(chords, static_cast<double>(tones) / static_cast<double>(chords));
  };
  EXPECT_LT(count(0).first, count(0.5).first);
  EXPECT_LT(count(0.5).first, count(1).first);
  EXPECT_LT(count(0).second, 3.05) << "triads";
  EXPECT_GT(count(1).second, 3.6) << "most have four tones";
}

}  // namespace
}  // namespace ringwave::music
