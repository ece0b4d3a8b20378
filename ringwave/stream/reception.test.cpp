// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/reception.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ringwave::stream {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using Verdict = Reception::Verdict;

/// Frames of 20 ms by a server whose clock is another one.
class Stream {
 public:
  Stream() { reception.connect(Reception::Time{}); }

  /// The frame of a number, so late.
  Verdict come(std::uint32_t number, nanoseconds late = nanoseconds{0}, bool is_discontinuous = false) {
    return reception.receive({.sequence = first_sequence + number,
                              .sample_time = first_time + std::uint64_t{number} * 960,
                              .bytes = 100,
                              .is_discontinuous = is_discontinuous,
                              .at = Reception::Time{} + seconds(5) + number * milliseconds(20) + late});
  }
  void come_all(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t number = from; number < to; ++number) EXPECT_EQ(come(number), Verdict::taken);
  }

  std::uint32_t first_sequence = 7;
  std::uint64_t first_time = 123456789;
  DelayHistogram lateness;
  Reception reception{lateness};
};

TEST(Reception, CountsNothingAmissInAWholeStream) {
  Stream stream;
  stream.first_sequence = std::numeric_limits<std::uint32_t>::max() - 100;  // which wraps around
  stream.come_all(0, 500);
  EXPECT_EQ(stream.reception.frames(), 500U);
  EXPECT_EQ(stream.reception.bytes(), 50000U);
  EXPECT_EQ(stream.reception.lost(), 0U);
  EXPECT_EQ(stream.reception.repeated(), 0U);
  EXPECT_EQ(stream.reception.first_frame_delay(), seconds(5));
  EXPECT_EQ(stream.lateness.total(), 500U);
  EXPECT_EQ(stream.lateness.most(), nanoseconds(0));
  EXPECT_EQ(stream.reception.jitter_seconds(), 0);
}

TEST(Reception, SeesWhatIsLostAndWhatComesAgain) {
  Stream stream;
  stream.come_all(0, 10);
  EXPECT_EQ(stream.come(13), Verdict::after_gap);
  EXPECT_EQ(stream.come(14), Verdict::taken);
  EXPECT_EQ(stream.come(14), Verdict::repeated);
  EXPECT_EQ(stream.come(11), Verdict::repeated);
  EXPECT_EQ(stream.come(15), Verdict::taken);
  EXPECT_EQ(stream.reception.lost(), 3U);
  EXPECT_EQ(stream.reception.repeated(), 2U);
}

TEST(Reception, WhatWasNeverMadeIsLost) {
  Stream stream;
  stream.come_all(0, 10);
  stream.first_sequence -= 4;  // the next numbers follow, the time has gone on
  EXPECT_EQ(stream.come(14, {}, true), Verdict::after_gap);
  EXPECT_EQ(stream.reception.lost(), 4U);
  EXPECT_EQ(stream.come(15), Verdict::taken);
  stream.first_sequence += 3;
  stream.come(13, {}, true);  // set back: nothing is missing
  EXPECT_EQ(stream.reception.lost(), 4U);
}

TEST(Reception, RatesFramesByTheBestOfTheFirstTwoSeconds) {
  Stream stream;
  for (std::uint32_t number = 0; number < 150; ++number)
    stream.come(number, number == 40 ? milliseconds(-3) : number == 120 ? milliseconds(47) : milliseconds(2));
  EXPECT_EQ(stream.lateness.total(), 150U);
  EXPECT_EQ(stream.lateness.most(), milliseconds(50));
  EXPECT_NEAR(std::chrono::duration<double>(stream.lateness.quantile(0.5)).count(), 0.005, 0.0002);
  EXPECT_EQ(stream.reception.last_lateness(), milliseconds(5));
}

TEST(Reception, AFrameThatIsEarlierThanThatIsNotLate) {
  Stream stream;
  stream.come_all(0, 150);
  stream.come(150, milliseconds(-15));
  EXPECT_EQ(stream.reception.last_lateness(), nanoseconds(0));
}

TEST(Reception, TheBurstOfAJoinIsNotLate) {
  Stream stream;
  for (std::uint32_t number = 0; number < 50; ++number) {  // the last second, all of it when frame 49 is made
    const milliseconds pause(number < 25 ? 0 : 30);        // and not quite at once
    stream.come(number, milliseconds(20) * (49 - number) + pause);
  }
  stream.come_all(50, 300);
  EXPECT_EQ(stream.lateness.total(), 250U);
  EXPECT_EQ(stream.lateness.most(), nanoseconds(0));
  EXPECT_EQ(stream.reception.lost(), 0U);
}

TEST(Reception, ALongBurstNeedsNoMoreMemory) {
  Stream stream;
  for (std::uint32_t number = 0; number < 1000; ++number)
    stream.come(number, milliseconds(20) * (999 - number));
  stream.come_all(1000, 1300);
  EXPECT_EQ(stream.lateness.total(), 302U);
  EXPECT_LE(stream.lateness.most(), milliseconds(20));
}

TEST(Reception, WhatIsLateAfterTheBurstIsLate) {
  Stream stream;
  stream.come_all(0, 30);
  for (std::uint32_t number = 30; number < 40; ++number) stream.come(number, milliseconds(300));
  stream.come_all(40, 200);
  EXPECT_EQ(stream.lateness.most(), milliseconds(300));
}

TEST(Reception, RatesAShortStreamWhenItEnds) {
  Stream stream;
  stream.come_all(0, 10);
  EXPECT_EQ(stream.lateness.total(), 0U);
  stream.reception.finish();
  EXPECT_EQ(stream.lateness.total(), 10U);
  stream.reception.finish();
  EXPECT_EQ(stream.lateness.total(), 10U);
}

TEST(Reception, JitterIsThatOfRfc3550) {
  Stream stream;
  double expected = 0;
  for (std::uint32_t number = 0; number < 1000; ++number) {
    stream.come(number, number % 2 == 0 ? milliseconds(0) : milliseconds(4));
    if (number > 0) expected += (0.004 - expected) / 16;
  }
  EXPECT_NEAR(stream.reception.jitter_seconds(), expected, 1e-9);
  EXPECT_NEAR(stream.reception.jitter_seconds(), 0.004, 1e-6);
}

TEST(Reception, ANewConnectionGoesOnWhereTheOldOneWas) {
  Stream stream;
  stream.come_all(0, 100);
  stream.reception.connect(Reception::Time{} + seconds(8));
  stream.first_sequence = 900;  // by a server that counts anew
  for (std::uint32_t number = 75; number < 100; ++number) EXPECT_EQ(stream.come(number), Verdict::repeated);
  stream.come_all(100, 200);
  EXPECT_EQ(stream.reception.lost(), 0U);
  EXPECT_EQ(stream.reception.repeated(), 0U);
  EXPECT_EQ(stream.reception.connections(), 2U);
}

TEST(Reception, WhatIsMissingBetweenConnectionsIsLost) {
  Stream stream;
  stream.come_all(0, 100);
  stream.reception.connect(Reception::Time{} + seconds(8));
  EXPECT_EQ(stream.come(110), Verdict::after_gap);
  EXPECT_EQ(stream.reception.lost(), 10U);
  stream.come_all(111, 120);
}

TEST(Reception, AStationThatWasSetBackIsHeardFromThereOn) {
  Stream stream;
  stream.come_all(1000, 1100);
  stream.reception.connect(Reception::Time{} + seconds(30));
  EXPECT_EQ(stream.come(500), Verdict::taken);
  EXPECT_EQ(stream.come(501), Verdict::taken);
  EXPECT_EQ(stream.reception.lost(), 0U);
}

TEST(Reception, ATimeInWhichTheStationStoodStillIsNotLateness) {
  Stream stream;
  stream.come_all(0, 200);
  stream.come(200, seconds(100), true);
  for (std::uint32_t number = 201; number < 400; ++number) stream.come(number, seconds(100));
  EXPECT_EQ(stream.lateness.most(), nanoseconds(0));
  EXPECT_EQ(stream.lateness.total(), 400U);
  EXPECT_EQ(stream.reception.lost(), 0U);
}

TEST(Reception, TellsWhatAPlayerHasInHand) {
  Stream stream;
  for (std::uint32_t number = 0; number < 25; ++number) stream.come(number, number * milliseconds(-20));
  EXPECT_NEAR(stream.reception.depth_seconds(Reception::Time{} + seconds(5)), 0.5, 1e-9);
  EXPECT_NEAR(stream.reception.depth_seconds(Reception::Time{} + seconds(5) + milliseconds(100)), 0.4, 1e-9);
  EXPECT_EQ(stream.reception.depth_seconds(Reception::Time{} + seconds(9)), 0);
}

TEST(Reception, AnyTimesDoNoHarm) {
  DelayHistogram lateness;
  Reception reception(lateness);
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t sample_time : {std::uint64_t{0}, most, std::uint64_t{1} << 63U, std::uint64_t{5}})
    for (const std::uint32_t sequence : {0U, 0xffffffffU, 0x80000000U, 0x7fffffffU})
      reception.receive({.sequence = sequence, .sample_time = sample_time, .frames = 0, .at = {}});
  reception.finish();
  EXPECT_EQ(reception.frames(), 16U);
}

TEST(DelayHistogram, IsExactToAThirtySecond) {
  for (const std::int64_t us : {0, 1, 63, 64, 1000, 4999, 123456, 7654321}) {
    DelayHistogram histogram;
    histogram.add(microseconds(us));
    histogram.add(microseconds(us * 10 + 1000));
    const auto found = std::chrono::duration_cast<microseconds>(histogram.quantile(0.5)).count();
    EXPECT_GE(found, us);
    EXPECT_LE(static_cast<double>(found), static_cast<double>(us) * (1 + 1.0 / 32) + 1) << us;
    EXPECT_EQ(histogram.quantile(1), microseconds(us * 10 + 1000));
  }
}

TEST(DelayHistogram, AddsUpAndBearsAnyValue) {
  DelayHistogram one;
  DelayHistogram other;
  EXPECT_EQ(one.quantile(0.99), nanoseconds(0));
  one.add(nanoseconds(-5));
  other.add(nanoseconds(std::numeric_limits<std::int64_t>::max()));
  one += other;
  EXPECT_EQ(one.total(), 2U);
  EXPECT_EQ(one.most().count(), std::numeric_limits<std::int64_t>::max());
  EXPECT_LE(one.quantile(0.5), microseconds(1));
}

}  // namespace
}  // namespace ringwave::stream
