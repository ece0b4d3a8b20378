// SPDX-License-Identifier: Apache-2.0
// A gain that changes while it plays: the ramps against straight lines in double, across any block size.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/dsp/gain.hpp"
#include "tests/parity/measure.hpp"
#include "tests/parity/signal.hpp"
#include "tests/test_label.hpp"

namespace ringwave::parity {
namespace {

constexpr int kFrames = 4000;
constexpr int kRamp = 480;

struct Change {
  int frame = 0;
  float gain = 0;
};

/// The second comes in the middle of the first's ramp, the last two at the same frame, the last to silence.
constexpr Change kChanges[] = {{100, 0.25F}, {300, 2.0F}, {2000, -1.0F}, {3000, 9.0F}, {3000, 0.0F}};

/// The gain of every frame: frame 0 of a ramp has already left the old value, frame kRamp - 1 is at the new.
std::vector<double> expected_gains() {
  std::vector<double> gains;
  double from = 1, to = 1, now = 1;
  int since = kRamp;
  for (int frame = 0; frame < kFrames; ++frame) {
    for (const Change& change : kChanges)
      if (change.frame == frame) {
        from = now;
        to = static_cast<double>(change.gain);
        since = 0;
      }
    ++since;
    now = since >= kRamp ? to : from + (to - from) * since / kRamp;
    gains.push_back(now);
  }
  return gains;
}

/// A change falls between two blocks: a block ends where one is due.
Signal played(Device device, const Signal& in, int block) {
  dsp::Gain gain(device, {in.channels(), block, 1.0F, kRamp});
  Signal out(in.channels(), in.frames());
  for (int done = 0; done < kFrames;) {
    int end = std::min(done + block, kFrames);
    for (const Change& change : kChanges) {
      if (change.frame == done) {
        EXPECT_TRUE(gain.set_gain(change.gain));
      }
      if (change.frame > done) end = std::min(end, change.frame);
    }
    EXPECT_EQ(gain.process(in.view().slice(done, end - done), out.view().slice(done, end - done)),
              Status::ok);
    done = end;
  }
  return out;
}

class GainRampParity : public testing::TestWithParam<Device> {};

TEST_P(GainRampParity, FollowsStraightLinesForAnyBlockSize) {
  const Signal in = noise(3, kFrames, 89);
  const std::vector<double> gains = expected_gains();
  const Signal plain = played(Device::cpu(), in, kFrames);
  for (const int block : {1, 2, 3, 16, 63, 64, 65, 480, 1000, 4096}) {
    SCOPED_TRACE("blocks of " + std::to_string(block));
    const Signal out = played(GetParam(), in, block);
    for (int i = 0; i < in.channels(); ++i) {
      std::vector<double> reference(gains);
      for (std::size_t n = 0; n < gains.size(); ++n) reference[n] *= static_cast<double>(in.channel(i)[n]);
      ASSERT_TRUE(agrees(GetParam().name(), out.channel(i), reference));
      if (GetParam().kind() == DeviceKind::cpu) {
        ASSERT_EQ(first_difference(out.channel(i), plain.channel(i)), -1);
      }
    }
  }
}

TEST_P(GainRampParity, GoesOnFromOneEnqueuedBlockToTheNext) {
  constexpr int kBlock = 100;
  constexpr int kLength = 1000;
  Queue queue(GetParam());
  Buffer<float> buffer(GetParam(), kLength);
  buffer.fill(1.0F);
  (void)buffer.device(queue);
  const BlockView<float> view = buffer.overwrite_device();
  dsp::Gain gain(GetParam(), {1, kBlock, 1.0F, kRamp});
  ASSERT_TRUE(gain.set_gain(0.5F));
  for (int done = 0; done < kLength; done += kBlock)
    ASSERT_EQ(gain.enqueue(queue, view.slice(done, kBlock), view.slice(done, kBlock)), Status::ok);
  std::vector<double> reference;
  for (int n = 1; n <= kLength; ++n) reference.push_back(n >= kRamp ? 0.5 : 1.0 - 0.5 * n / kRamp);
  ASSERT_TRUE(agrees(GetParam().name(), buffer.host(queue), reference));
}

TEST_P(GainRampParity, AnEnqueuedBlockKeepsTheGainOfItsTime) {
  constexpr int kBlock = 100;
  Queue queue(GetParam());
  Buffer<float> buffer(GetParam(), std::size_t{2} * kBlock);
  buffer.fill(1.0F);
  (void)buffer.device(queue);
  const BlockView<float> view = buffer.overwrite_device();
  dsp::Gain gain(GetParam(), {1, kBlock, 0.5F, 0});
  ASSERT_EQ(gain.enqueue(queue, view.slice(0, kBlock), view.slice(0, kBlock)), Status::ok);
  ASSERT_TRUE(gain.set_gain(0.25F));
  ASSERT_EQ(gain.enqueue_reset(queue), Status::ok);
  ASSERT_EQ(gain.enqueue(queue, view.slice(kBlock, kBlock), view.slice(kBlock, kBlock)), Status::ok);
  std::vector<double> reference(kBlock, 0.5);
  reference.resize(std::size_t{2} * kBlock, 0.25);
  ASSERT_TRUE(agrees(GetParam().name(), buffer.host(queue), reference));
}

INSTANTIATE_TEST_SUITE_P(Devices, GainRampParity, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

}  // namespace
}  // namespace ringwave::parity
