// SPDX-License-Identifier: Apache-2.0
// Changes of an op while it plays make no forbidden call either, nor do the blocks after them.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/dsp/chorus.hpp"
#include "ringwave/dsp/compressor.hpp"
#include "ringwave/dsp/delay.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/gate.hpp"
#include "ringwave/dsp/graphic_eq.hpp"
#include "ringwave/dsp/limiter.hpp"
#include "ringwave/dsp/reverb.hpp"
#include "ringwave/dsp/soft_clip.hpp"
#include "ringwave/dsp/stft_stream.hpp"
#include "tests/realtime/guard.hpp"
#include "tests/test_label.hpp"

namespace ringwave::realtime {
namespace {

class RealtimeChanges : public testing::TestWithParam<Device> {
 protected:
  /// Runs a block, the change, and blocks again, all of them under the guard.
  template <class Op, class Change>
  static void expect_quiet(Op op, Change change) {
    std::vector<float> samples(2 * 256, 0.25F);
    const BlockView<float> block(samples.data(), 2, 256);
    Status status = Status::ok;
    bool taken = true;
    RealtimeGuard guard;
    for (int i = 0; i < 4 && status == Status::ok; ++i) {
      status = op.process(block, block);
      if (i % 2 == 0) taken = change(op) && taken;
    }
    op.reset();
    guard.end();
    EXPECT_EQ(status, Status::ok);
    EXPECT_TRUE(taken);
    EXPECT_EQ(guard.violations(), 0U) << guard.report();
  }
};

TEST_P(RealtimeChanges, OfAGain) {
  expect_quiet(dsp::Gain(GetParam(), {2, 256}), [](dsp::Gain& gain) { return gain.set_gain(0.5F); });
}

TEST_P(RealtimeChanges, OfAFiltersSections) {
  const auto next = dsp::butterworth_highpass(10, 300, 48000);
  expect_quiet(dsp::Biquad(GetParam(), {2, 256}, dsp::butterworth_lowpass(10, 1000, 48000)),
               [&next](dsp::Biquad& filter) { return filter.set_sections(next); });
}

TEST_P(RealtimeChanges, OfAnEqualisersBand) {
  expect_quiet(dsp::GraphicEq(GetParam(), {.channels = 2, .max_block_frames = 256, .bands = 31}),
               [](dsp::GraphicEq& eq) { return eq.set_gain_db(3, 6); });
}

TEST_P(RealtimeChanges, OfSettings) {
  const auto expect_quiet_set = [](auto op) {
    using Op = decltype(op);
    expect_quiet(std::move(op), [](Op& changed) { return changed.set({}); });
  };
  expect_quiet_set(dsp::Compressor(GetParam(), {2, 256}));
  expect_quiet_set(dsp::Chorus(GetParam(), {2, 256}));
  expect_quiet_set(dsp::Delay(GetParam(), {2, 256}));
  expect_quiet_set(dsp::Gate(GetParam(), {2, 256}));
  expect_quiet_set(dsp::Limiter(GetParam(), {2, 256}));
  expect_quiet_set(dsp::Reverb(GetParam(), {2, 256}));
  expect_quiet_set(dsp::SoftClip(GetParam(), {2, 256}));
}

TEST_P(RealtimeChanges, OfASpectrum) {
  dsp::StftStream stream(GetParam(), {.channels = 2, .size = 512, .hop = 128});
  std::vector<float> samples(2 * 300, 0.25F);
  const BlockView<float> block(samples.data(), 2, 300);
  Status status = Status::ok;
  RealtimeGuard guard;
  for (int i = 0; i < 8 && status == Status::ok; ++i)
    status = stream.process(block, block, [](std::span<dsp::Complex> bins) noexcept {
      for (dsp::Complex& bin : bins) bin *= 0.5F;
    });
  stream.reset();
  guard.end();
  EXPECT_EQ(status, Status::ok);
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
}

INSTANTIATE_TEST_SUITE_P(Devices, RealtimeChanges, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

}  // namespace
}  // namespace ringwave::realtime
