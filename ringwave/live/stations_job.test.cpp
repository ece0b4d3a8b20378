// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/stations_job.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace ringwave::live {
namespace {

/// The clock of a block, and its frames.
class StationsCutOf : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(StationsCutOf, IsAllFramesOnceAndTheLastChunkBehind) {
  const auto [clock, frames] = GetParam();
  const StationsCut cut(clock, frames);
  int rendered = 0;
  int heard = 0;
  do {
    const StationsSpan span = cut.at(rendered);
    EXPECT_EQ(span.first, rendered);
    EXPECT_EQ(span.clock, clock + rendered);
    EXPECT_LE(span.frames, StationsSpan::kMostFrames);
    EXPECT_EQ(span.first, heard);
    heard += span.heard;
    rendered += span.frames;
    EXPECT_EQ(heard == frames, rendered == cut.before) << "the last chunk is heard with the span before it";
  } while (rendered < cut.before);
  EXPECT_EQ(heard, frames);
  const StationsSpan last = cut.last();
  EXPECT_EQ(last.first, rendered);
  EXPECT_EQ(last.first + last.frames, frames);
  EXPECT_EQ(last.clock, clock + last.first);
  EXPECT_EQ(last.heard, 0);
  EXPECT_GT(last.frames, 0);
  EXPECT_EQ(last.clock / synth::kChunkFrames, (clock + frames - 1) / synth::kChunkFrames) << "one chunk";
  EXPECT_TRUE(last.first == 0 || last.clock % synth::kChunkFrames == 0) << "as much as there is of it";
}

INSTANTIATE_TEST_SUITE_P(Blocks, StationsCutOf,
                         testing::Combine(testing::Values(0, 16, 31, 32, 4800),
                                          testing::Values(1, 16, 31, 32, 33, 64, 128, 129, 136, 160, 480)));

}  // namespace
}  // namespace ringwave::live
