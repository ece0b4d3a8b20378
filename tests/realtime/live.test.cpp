// SPDX-License-Identifier: Apache-2.0
// A block through a live processor makes no forbidden call in any of its ways, nor does a change of its
// settings, nor a block that comes too late.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/live/live_biquad.hpp"
#include "ringwave/live/live_convolver.hpp"
#include "tests/live_place.hpp"
#include "tests/realtime/guard.hpp"
#include "tests/test_label.hpp"

namespace ringwave::realtime {
namespace {

using live::LiveBiquad;
using live::LiveConvolver;
using live::LiveSpec;
using live::Way;

constexpr int kFrames = 128;

class RealtimeLive : public OnLivePlace {
 protected:
  [[nodiscard]] static LiveSpec spec() { return OnLivePlace::spec(2, kFrames); }

  /// Blocks of several lengths, and `change` after each, under the guard.
  template <class Processor, class Change>
  static void expect_quiet(Processor& processor, Change change) {
    std::vector<float> samples(2 * kFrames, 0.25F);
    Status status = Status::ok;
    bool taken = true;
    RealtimeGuard guard;
    for (const int frames : {kFrames, 16, kFrames, 1, 77, kFrames}) {
      const BlockView<float> block(samples.data(), 2, frames);
      if (status == Status::ok) status = processor.process(block, block);
      taken = change() && taken;
    }
    guard.end();
    EXPECT_EQ(status, Status::ok);
    EXPECT_TRUE(taken);
    EXPECT_EQ(guard.violations(), 0U) << guard.report();
  }
};

TEST_P(RealtimeLive, ABiquadAndItsChanges) {
  const auto next = dsp::butterworth_highpass(8, 300, 48000);
  LiveBiquad filter(spec(), dsp::butterworth_lowpass(8, 1000, 48000));
  expect_quiet(filter, [&] { return filter.set_sections(next); });
  expect_quiet(filter, [&] { return filter.reset() == Status::ok; });
}

TEST_P(RealtimeLive, AConvolver) {
  const std::vector<float> taps(2 * 500, 0.01F);
  LiveConvolver convolver(spec(), {taps.data(), 2, 500});
  expect_quiet(convolver, [] { return true; });
  expect_quiet(convolver, [&] { return convolver.reset() == Status::ok; });
}

INSTANTIATE_TEST_SUITE_P(Places, RealtimeLive, testing::ValuesIn(live_places()), live_place_label);

class RealtimeLiveLate : public testing::TestWithParam<Device> {};

TEST_P(RealtimeLiveLate, ABlockThatIsLateOrFindsNobodyMakesNoCallEither) {
  LiveBiquad filter({.channels = 2,
                     .max_block_frames = kFrames,
                     .device = GetParam(),
                     .way = Way::ring,
                     .deadline = std::chrono::milliseconds{1}},
                    dsp::butterworth_lowpass(8, 1000, 48000));
  std::vector<float> samples(2 * kFrames, 0.25F);
  const BlockView<float> block(samples.data(), 2, kFrames);
  filter.kernel()->pause();
  RealtimeGuard guard;
  const Status paused = filter.process(block, block);
  for (int i = 0; i < 100; ++i) (void)filter.process(block, block);  // more than the inbox holds
  guard.end();
  EXPECT_EQ(paused, Status::late);
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
  filter.kernel()->terminate();
  RealtimeGuard after;
  const Status ended = filter.process(block, block);
  after.end();
  EXPECT_EQ(ended, Status::not_running);
  EXPECT_EQ(after.violations(), 0U) << after.report();
}

INSTANTIATE_TEST_SUITE_P(Devices, RealtimeLiveLate, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

}  // namespace
}  // namespace ringwave::realtime
