// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/ring_port.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/live/live_biquad.hpp"
#include "ringwave/live/live_convolver.hpp"
#include "ringwave/ring/handlers.hpp"
#include "tests/accuracy.hpp"
#include "tests/noise.hpp"
#include "tests/test_label.hpp"

namespace ringwave::live {
namespace {

constexpr std::chrono::seconds kLong{20};
constexpr int kFrames = 128;
constexpr double kLeastDb = 135;  // of a filter, whose output is rounded to float

std::vector<dsp::Section> lowpass() {
  return dsp::butterworth_lowpass(4, 1000, 48000);
}

/// Live filters whose kernel has an accident, on every device.
class LiveAccident : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static LiveSpec spec(std::chrono::nanoseconds deadline) {
    return {.channels = 1,
            .max_block_frames = kFrames,
            .device = GetParam(),
            .way = Way::ring,
            .deadline = deadline};
  }

  /// One block of noise through it.
  static Status play(LiveProcessor& live, unsigned seed, std::vector<float>& out) {
    const std::vector<float> in = noise(kFrames, seed);
    out.assign(kFrames, 1.0F);
    return live.process(in, out);
  }

  static bool is_silent(const std::vector<float>& block) {
    return std::ranges::all_of(block, [](float sample) { return sample == 0; });
  }
};

TEST_P(LiveAccident, APausedKernelIsLateAndGoesOnAsIfTheLostBlocksHadNotBeen) {
  LiveBiquad live(spec(std::chrono::milliseconds{500}), lowpass());
  dsp::Biquad truth(Device::cpu(), {1, kFrames}, lowpass());
  std::vector<float> out;
  ASSERT_EQ(play(live, 1, out), Status::ok);
  live.kernel()->pause(kLong);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(play(live, 100 + i, out), Status::late);
    EXPECT_TRUE(is_silent(out));
  }
  EXPECT_EQ(live.counts().missed, 3U);
  EXPECT_EQ(live.counts().blocks, 1U);
  live.kernel()->resume(kLong);
  ASSERT_EQ(play(live, 2, out), Status::ok);
  std::vector<float> right = noise(kFrames, 1);
  ASSERT_EQ(truth.process(right, right), Status::ok);
  right = noise(kFrames, 2);
  ASSERT_EQ(truth.process(right, right), Status::ok);
  EXPECT_GT(accuracy_db(out, right), kLeastDb);
  const auto until = std::chrono::steady_clock::now() + kLong;  // a device tells its numbers a little later
  while (live.kernel()->counts().expired < 3 && std::chrono::steady_clock::now() < until)
    std::this_thread::yield();
  EXPECT_EQ(live.kernel()->counts().expired, 3U);
}

TEST_P(LiveAccident, ManyLateBlocksFillTheQueueAndNothingIsLost) {
  LiveBiquad live(spec(std::chrono::milliseconds{1}), lowpass());
  std::vector<float> out;
  live.kernel()->pause(kLong);
  int late = 0;
  int busy = 0;
  for (unsigned i = 0; i < 200; ++i) {
    const Status status = play(live, i, out);
    late += status == Status::late ? 1 : 0;
    busy += status == Status::busy ? 1 : 0;
    EXPECT_TRUE(is_silent(out));
  }
  EXPECT_GE(late, 16) << "as many as the inbox holds";
  EXPECT_LE(late, 24) << "and as many as a device takes out of it in advance";
  EXPECT_EQ(late + busy, 200);
  EXPECT_EQ(live.counts().missed, 200U);
  live.kernel()->resume(kLong);
  // A millisecond is short on a small machine: what counts is that it comes back.
  const auto until = std::chrono::steady_clock::now() + kLong;
  while (play(live, 300, out) != Status::ok && std::chrono::steady_clock::now() < until)
    std::this_thread::yield();
  EXPECT_GT(live.counts().blocks, 0U);
}

TEST_P(LiveAccident, AnEndedKernelAnswersSilenceUntilItRecovers) {
  LiveBiquad live(spec(kLong), lowpass());
  const auto high = dsp::butterworth_highpass(4, 3000, 48000);
  std::vector<float> out;
  ASSERT_EQ(play(live, 1, out), Status::ok);
  ASSERT_TRUE(live.set_sections(high));
  ASSERT_EQ(play(live, 2, out), Status::ok);
  live.kernel()->terminate(kLong);
  EXPECT_EQ(play(live, 3, out), Status::not_running);
  EXPECT_TRUE(is_silent(out));
  EXPECT_FALSE(live.set_sections(lowpass())) << "nobody is there to take them";
  EXPECT_EQ(live.reset(), Status::not_running);
  live.recover();
  ASSERT_EQ(play(live, 4, out), Status::ok);
  dsp::Biquad truth(Device::cpu(), {1, kFrames}, high);
  std::vector<float> right = noise(kFrames, 4);
  ASSERT_EQ(truth.process(right, right), Status::ok);
  EXPECT_GT(accuracy_db(out, right), kLeastDb) << "with its last sections, from rest";
}

TEST_P(LiveAccident, AConvolverRecoversWithItsLastResponse) {
  const std::vector<float> first = noise(500, 31);
  const std::vector<float> second = noise(400, 33);
  LiveConvolver live(spec(kLong), {first.data(), 1, 500});
  live.set_responses({second.data(), 1, 400});
  live.kernel()->terminate(kLong);
  std::vector<float> out;
  EXPECT_EQ(play(live, 1, out), Status::not_running);
  live.recover();
  std::vector<float> block(kFrames, 0.0F);
  block[0] = 1;
  ASSERT_EQ(live.process(block, block), Status::ok);
  EXPECT_GT(accuracy_db(block, std::span(second).first(kFrames)), 110) << "sums are float";
  live.kernel()->terminate(kLong);
  EXPECT_THROW(live.set_responses({first.data(), 1, 500}), InvalidState);
}

INSTANTIATE_TEST_SUITE_P(Devices, LiveAccident, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

/// Plays its blocks as they are, until one begins with a 2, which it throws at.
struct Fragile {
  void on_message(ring::Context& context, const ring::Message& message) {
    if (message.view<float>()[0] == 2) context.fail(7);
    context.reply(message.data(), message.bytes());
  }
};

/// Answers with half of what was asked.
struct Halving {
  void on_message(ring::Context& context, const ring::Message& message) {
    context.reply(message.data(), message.bytes() / 2);
  }
};

class RingPortOf : public testing::Test {
 protected:
  template <class Handler>
  static RingPort make(const std::string& handler) {
    static const bool added = [&] {
      ring::Handlers::instance().add(ring::handler<Handler>(handler));
      return true;
    }();
    EXPECT_TRUE(added);
    return RingPort({.handler = handler,
                     .device = Device::cpu(),
                     .channels = 1,
                     .max_block_frames = kFrames,
                     .deadline = kLong},
                    {});
  }
};

TEST_F(RingPortOf, AFailedKernelIsNotRunningUntilItBeginsAgain) {
  RingPort port = make<Fragile>("fragile");
  std::vector<float> out(kFrames);
  std::ranges::fill(port.input(), 1.0F);
  EXPECT_EQ(port.process(out), Status::ok);
  EXPECT_EQ(out.back(), 1.0F);
  port.input()[0] = 2;
  EXPECT_EQ(port.process(out), Status::ok) << "it answers, and then it fails";
  const auto until = std::chrono::steady_clock::now() + kLong;
  while (port.process(out) != Status::not_running && std::chrono::steady_clock::now() < until) {
  }
  EXPECT_EQ(port.process(out), Status::not_running);
  EXPECT_EQ(port.kernel().state(), ring::State::failed);
  port.begin_again({});
  port.input()[0] = 1;
  EXPECT_EQ(port.process(out), Status::ok);
}

TEST_F(RingPortOf, AnAnswerOfAnotherLengthIsNoBlock) {
  RingPort port = make<Halving>("halving");
  std::vector<float> out(kFrames);
  EXPECT_EQ(port.process(out), Status::wrong_shape);
}

TEST(RingPort, AHandlerThatIsNotThereIsRefusedWithTheNamesThereAre) {
  EXPECT_THROW(RingPort({.handler = "nobody", .device = Device::cpu(), .deadline = kLong}, {}),
               InvalidArgument);
}

TEST(RingPort, EveryDeliveryHasItsStatus) {
  using ring::Delivery;
  EXPECT_EQ(status_of(Delivery::ok), Status::ok);
  EXPECT_EQ(status_of(Delivery::full), Status::busy);
  EXPECT_EQ(status_of(Delivery::expired), Status::late);
  EXPECT_EQ(status_of(Delivery::timed_out), Status::late);
  EXPECT_EQ(status_of(Delivery::failed), Status::not_running);
  EXPECT_EQ(status_of(Delivery::forked), Status::not_running);
  EXPECT_EQ(status_of(Delivery::unknown_type), Status::wrong_shape);
}

}  // namespace
}  // namespace ringwave::live
