// SPDX-License-Identifier: Apache-2.0
#include "ringwave/music/progression.hpp"

#include <numeric>
#include <span>

#include "ringwave/music/chance.hpp"

namespace ringwave::music {
namespace {

using Row = std::array<int, 7>;
using Table = std::array<Row, 7>;

// From the chord of a row to that of a column, in hundredths or about. Each mode leans on the chords that
// make it what it is and keeps away from its diminished one.
constexpr Table kIonian{{{10, 12, 10, 28, 18, 22, 0},
                         {14, 6, 8, 16, 36, 18, 2},
                         {8, 8, 4, 34, 8, 38, 0},
                         {30, 14, 8, 6, 26, 16, 0},
                         {36, 6, 8, 18, 6, 26, 0},
                         {14, 18, 12, 30, 20, 6, 0},
                         {60, 0, 20, 0, 0, 20, 0}}};
constexpr Table kDorian{{{10, 12, 14, 34, 8, 0, 22},  // the major fourth
                         {36, 6, 10, 20, 12, 0, 16},
                         {16, 14, 6, 32, 8, 0, 24},
                         {42, 10, 12, 6, 8, 0, 22},
                         {34, 8, 14, 22, 4, 0, 18},
                         {40, 10, 20, 20, 0, 0, 10},
                         {36, 10, 16, 26, 8, 0, 4}}};
constexpr Table kPhrygian{{{10, 30, 14, 16, 0, 16, 14},  // the second a semitone above
                           {42, 6, 14, 10, 0, 14, 14},
                           {18, 26, 6, 18, 0, 20, 12},
                           {30, 22, 12, 6, 0, 16, 14},
                           {50, 20, 10, 10, 0, 10, 0},
                           {20, 26, 16, 18, 0, 6, 14},
                           {34, 18, 16, 10, 0, 18, 4}}};
constexpr Table kLydian{{{10, 34, 10, 0, 16, 16, 14},  // the major second
                         {40, 6, 8, 0, 20, 14, 12},
                         {16, 24, 4, 0, 14, 26, 16},
                         {40, 20, 10, 0, 20, 10, 0},
                         {36, 24, 8, 0, 6, 16, 10},
                         {18, 30, 14, 0, 16, 6, 16},
                         {26, 18, 22, 0, 12, 20, 2}}};
constexpr Table kMixolydian{{{10, 10, 0, 24, 14, 14, 28},  // the seventh a whole tone below
                             {24, 6, 0, 22, 16, 12, 20},
                             {40, 10, 0, 30, 0, 20, 0},
                             {38, 10, 0, 6, 14, 10, 22},
                             {28, 12, 0, 22, 4, 14, 20},
                             {18, 18, 0, 26, 12, 4, 22},
                             {38, 8, 0, 32, 10, 8, 4}}};
constexpr Table kAeolian{{{10, 0, 16, 22, 12, 24, 16},
                          {20, 0, 10, 10, 40, 10, 10},
                          {14, 0, 6, 20, 8, 30, 22},
                          {34, 0, 12, 6, 18, 14, 16},
                          {34, 0, 10, 14, 6, 24, 12},
                          {16, 0, 22, 18, 8, 6, 30},
                          {34, 0, 26, 8, 6, 22, 4}}};
constexpr Table kLocrian{{{6, 26, 14, 18, 16, 14, 6},  // its tonic is the diminished one
                          {26, 4, 12, 16, 22, 14, 6},
                          {24, 18, 4, 18, 14, 16, 6},
                          {28, 16, 10, 4, 20, 16, 6},
                          {24, 24, 10, 14, 4, 18, 6},
                          {22, 20, 14, 16, 18, 4, 6},
                          {34, 16, 14, 10, 10, 14, 2}}};
constexpr Table kHarmonicMinor{{{10, 0, 2, 26, 28, 30, 4},  // the major fifth
                                {10, 0, 0, 4, 74, 6, 6},
                                {14, 0, 0, 20, 6, 60, 0},
                                {24, 4, 0, 6, 44, 16, 6},
                                {58, 0, 2, 8, 6, 26, 0},
                                {14, 6, 2, 34, 34, 6, 4},
                                {80, 0, 0, 0, 14, 6, 0}}};
constexpr Table kMajorPentatonic{{{10, 16, 18, 26, 30},
                                  {28, 6, 14, 30, 22},
                                  {22, 18, 4, 20, 36},
                                  {38, 18, 14, 6, 24},
                                  {26, 22, 20, 26, 6}}};
constexpr Table kMinorPentatonic{{{10, 22, 24, 20, 24},
                                  {24, 6, 26, 14, 30},
                                  {34, 18, 6, 20, 22},
                                  {36, 16, 22, 6, 20},
                                  {32, 28, 20, 16, 4}}};

const Table& table_of(Mode mode) noexcept {
  static constexpr std::array<const Table*, 10> kTables{
      &kIonian,  &kDorian,  &kPhrygian,      &kLydian,          &kMixolydian,
      &kAeolian, &kLocrian, &kHarmonicMinor, &kMajorPentatonic, &kMinorPentatonic};
  return *kTables[static_cast<std::size_t>(mode)];
}

/// In thousandths of the table's own weights.
Row blended(const Row& row, const Row& tonic_row, int degrees, int variety) noexcept {
  const int mean = std::accumulate(row.begin(), row.end(), 0) / degrees;
  Row made{};
  for (std::size_t to = 0; to < static_cast<std::size_t>(degrees); ++to)
    if (tonic_row[to] > 0) made[to] = row[to] * (1000 - variety) + mean * variety;
  return made;
}

}  // namespace

Progression::Progression(const Settings& settings, std::uint64_t seed)
    : scale_(settings.key, settings.mode), seed_(seed), density_(to_permille(settings.harmonic_density)) {
  const Table& table = table_of(settings.mode);
  const int variety = to_permille(settings.progression_variety);
  for (std::size_t from = 0; from < degrees(); ++from)
    weights_[from] = blended(table[from], table[0], scale_.size(), variety);
}

int Progression::first_degree(std::int64_t phrase) const noexcept {
  if (phrase % Form::kPhrasesPerSection == 0) return 0;
  Chance chance(seed_, Chance::For::phrase_start, phrase);
  return static_cast<int>(chance.pick(std::span(weights_[0]).first(degrees())));
}

Chord::Shape Progression::shape_at(std::int64_t phrase, int bar) const noexcept {
  Chance chance(seed_, Chance::For::chord_shape, phrase * Form::kBarsPerPhrase + bar);
  const std::array weights{1200 - density_, density_, density_ * 3 / 4, 60 + density_ / 5, 60 + density_ / 8};
  return static_cast<Chord::Shape>(chance.pick(weights));
}

std::vector<ChordSpan> Progression::phrase(std::int64_t phrase) const {
  Chance chance(seed_, Chance::For::progression, phrase);
  std::vector<int> first_bars{0};
  for (int bar = 1; bar < Form::kBarsPerPhrase; ++bar)
    if (bar == 2 || chance.happens(150 + density_ * 85 / 100)) first_bars.push_back(bar);
  const auto next = static_cast<std::size_t>(first_degree(phrase + 1));
  std::vector<ChordSpan> made;
  int degree = first_degree(phrase);
  for (std::size_t i = 0; i < first_bars.size(); ++i) {
    const bool is_last = i + 1 == first_bars.size();
    if (i > 0) {
      Weights weights = weights_[static_cast<std::size_t>(degree)];
      weights[static_cast<std::size_t>(degree)] = 0;  // a change is one
      if (is_last)
        for (std::size_t to = 0; to < degrees(); ++to)
          weights[to] = weights[to] / 64 * (1 + weights_[to][next] / 64);
      degree = static_cast<int>(chance.pick(std::span(weights).first(degrees())));
    }
    const int end = is_last ? Form::kBarsPerPhrase : first_bars[i + 1];
    made.push_back(
        {Chord(scale_, degree, shape_at(phrase, first_bars[i])), first_bars[i], end - first_bars[i]});
  }
  return made;
}

}  // namespace ringwave::music
