// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/convolver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/queue.hpp"
#include "tests/accuracy.hpp"
#include "tests/noise.hpp"
#include "tests/test_label.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Mode = Convolver::Mode;

// Transforms of up to a hundred thousand points lose some bits of a float's 144 dB.
constexpr double kLeastDecibels = 120;

/// Noise that dies away by 60 dB, as a room does.
std::vector<float> room(std::size_t taps, unsigned seed) {
  std::vector<float> made = noise(taps, seed);
  for (std::size_t k = 0; k < taps; ++k)
    made[k] *= std::exp(-6.9F * static_cast<float>(k) / static_cast<float>(taps));
  return made;
}

/// The formula in double.
std::vector<double> convolved(std::span<const float> x, std::span<const float> h) {
  std::vector<double> y(x.size());
  for (std::size_t n = 0; n < x.size(); ++n)
    for (std::size_t k = 0; k < std::min(h.size(), n + 1); ++k)
      y[n] += static_cast<double>(h[k]) * static_cast<double>(x[n - k]);
  return y;
}

/// Mono through a convolver, in blocks of the given lengths, which take turns.
std::vector<float> played(Convolver& convolver, std::span<const float> x, std::vector<int> blocks) {
  std::vector<float> y(x.size());
  std::size_t at = 0;
  for (std::size_t turn = 0; at < x.size(); ++turn) {
    const int frames = std::min(blocks[turn % blocks.size()], static_cast<int>(x.size() - at));
    EXPECT_EQ(convolver.process({x.data() + at, 1, frames}, {y.data() + at, 1, frames}), Status::ok);
    at += static_cast<std::size_t>(frames);
  }
  return y;
}

Convolver mono(Device device, Mode mode, int block, std::span<const float> taps) {
  const Convolver::Path path{{0, 0}, taps};
  return {device, {.max_block_frames = block, .mode = mode}, {&path, 1}};
}

struct Way {
  Device device;
  Mode mode;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << to_string(way.mode) << " on " << way.device.name();
}

std::vector<Way> ways() {
  std::vector<Way> made;
  for (const Device device : Device::all())
    for (const Mode mode : {Mode::direct, Mode::fft, Mode::partitioned, Mode::automatic})
      if (device == Device::cpu() || mode == Mode::partitioned || mode == Mode::automatic)
        made.push_back({device, mode});
  return made;
}

class ConvolverBy : public testing::TestWithParam<Way> {
 protected:
  [[nodiscard]] static Convolver make(int block, std::span<const float> taps) {
    return mono(GetParam().device, GetParam().mode, block, taps);
  }
};

TEST_P(ConvolverBy, IsTheFormulaAtAnyBlockAndLength) {
  const std::vector<float> x = noise(9000, 1);
  for (const int block : {16, 17, 64, 100, 128, 480, 1024})
    for (const std::size_t taps : {1U, 2U, 15U, 16U, 17U, 300U, 2048U, 2049U, 5000U}) {
      const std::vector<float> h = room(taps, 2);
      Convolver convolver = make(block, h);
      EXPECT_GT(accuracy_db(played(convolver, x, {block}), convolved(x, h)), kLeastDecibels)
          << taps << " taps in blocks of " << block;
    }
}

TEST_P(ConvolverBy, DoesNotDependOnHowTheSignalIsCut) {
  const std::vector<float> x = noise(12000, 3);
  const std::vector<float> h = room(4000, 4);
  const auto truth = convolved(x, h);
  for (const std::vector<int>& blocks :
       std::vector<std::vector<int>>{{256}, {1}, {7}, {64}, {1, 255, 3, 128, 256, 64}, {200, 56}}) {
    if (blocks == std::vector<int>{1} && GetParam().device != Device::cpu()) continue;  // minutes of launches
    Convolver convolver = make(256, h);
    EXPECT_GT(accuracy_db(played(convolver, x, blocks), truth), kLeastDecibels)
        << "first block " << blocks[0];
  }
}

TEST_P(ConvolverBy, TwoSquaresGiveATriangle) {
  std::vector<float> x(600);
  std::fill_n(x.begin(), 200, 1.0F);
  const std::vector<float> h(200, 1.0F);
  Convolver convolver = make(64, h);
  const std::vector<float> y = played(convolver, x, {64});
  for (std::size_t n = 0; n < y.size(); ++n) {
    const double up = static_cast<double>(n) + 1;
    EXPECT_NEAR(y[n], std::max(0.0, std::min(up, 400 - up)), 2e-4) << n;
  }
}

TEST_P(ConvolverBy, IsNoCorrelation) {
  const std::vector<float> h{1.0F, 0.5F, 0.25F};
  std::vector<float> x(32);
  x[0] = 1;
  Convolver convolver = make(32, h);
  const std::vector<float> y = played(convolver, x, {32});
  EXPECT_NEAR(y[0], 1.0F, 1e-6F) << "no latency, and the first tap first";
  EXPECT_NEAR(y[1], 0.5F, 1e-6F);
  EXPECT_NEAR(y[2], 0.25F, 1e-6F);
}

TEST_P(ConvolverBy, ResetForgets) {
  const std::vector<float> h = room(3000, 5);
  Convolver convolver = make(128, h);
  const std::vector<float> x = noise(4096, 6);
  const std::vector<float> first = played(convolver, x, {128});
  convolver.reset();
  const std::vector<float> silent(8192);
  for (const float sample : played(convolver, silent, {128})) ASSERT_EQ(sample, 0.0F);
  convolver.reset();
  EXPECT_GT(accuracy_db(played(convolver, x, {128}), std::vector<double>(first.begin(), first.end())),
            kLeastDecibels);
}

TEST_P(ConvolverBy, AnEnqueuedResetComesInTheQueuesOrder) {
  constexpr int kBlock = 128;
  Convolver convolver = make(kBlock, room(3000, 5));
  Queue queue(GetParam().device);
  Buffer<float> signal(GetParam().device, std::size_t{3} * kBlock);
  Buffer<float> out(GetParam().device, std::size_t{3} * kBlock);
  std::vector<float> click(std::size_t{3} * kBlock);
  click[0] = 1.0F;
  signal.copy_from(click);
  const BlockView<const float> from = signal.device(queue);
  const BlockView<float> to = out.overwrite_device();
  const auto enqueue = [&](int block) {
    return convolver.enqueue(queue, from.slice(block * kBlock, kBlock), to.slice(block * kBlock, kBlock));
  };
  ASSERT_EQ(enqueue(0), Status::ok);
  ASSERT_EQ(enqueue(1), Status::ok);
  ASSERT_EQ(convolver.enqueue_reset(queue), Status::ok);
  ASSERT_EQ(enqueue(2), Status::ok);
  const auto heard = out.host(queue);
  EXPECT_THAT(heard.subspan(kBlock, kBlock), testing::Contains(testing::Gt(0.1F))) << "it rings on";
  EXPECT_THAT(heard.subspan(2 * kBlock, kBlock), testing::Each(0.0F));
}

TEST_P(ConvolverBy, CountsNaNAndPlaysSilenceForIt) {
  const std::vector<float> h = room(3000, 7);
  Convolver convolver = make(128, h);
  std::vector<float> x = noise(8192, 8);
  x[1000] = 0;
  const auto truth = convolved(x, h);
  x[1000] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_GT(accuracy_db(played(convolver, x, {128}), truth), kLeastDecibels);
  EXPECT_EQ(convolver.nonfinite_samples(), 1U);
}

TEST_P(ConvolverBy, AChangeUnderASineHasNoStepLargerThanTheSines) {
  // Both responses pass the sine, with another phase and level, early and late.
  constexpr double kTurn = 2 * std::numbers::pi * 440 / 48000;
  std::vector<float> first(3000);
  std::vector<float> second(3000);
  first[0] = 0.5F;
  first[2999] = 0.4F;
  second[30] = -0.4F;
  second[2500] = 0.5F;
  Convolver convolver = make(128, first);
  std::vector<float> x(200 * 128);
  for (std::size_t n = 0; n < x.size(); ++n)
    x[n] = static_cast<float>(std::sin(kTurn * static_cast<double>(n)));
  std::vector<float> y;
  for (int block = 0; block < 200; ++block) {
    if (block == 60) {
      const Convolver::Path path{{0, 0}, second};
      convolver.set_responses({&path, 1});
      EXPECT_TRUE(convolver.changing());
    }
    std::vector<float> out(128);
    ASSERT_EQ(convolver.process({x.data() + 128 * block, 1, 128}, {out.data(), 1, 128}), Status::ok);
    y.insert(y.end(), out.begin(), out.end());
  }
  EXPECT_FALSE(convolver.changing());
  // A sine of level 0.9 moves by at most 0.9 times its turn a sample; the fade may add its own slope.
  const double most = 0.9 * kTurn + 1.8 / 1024 + 1e-5;
  for (std::size_t n = 3200; n < y.size(); ++n)
    ASSERT_LT(std::abs(static_cast<double>(y[n]) - static_cast<double>(y[n - 1])), most) << "at frame " << n;
  const auto truth = convolved(x, second);
  EXPECT_GT(
      accuracy_db(std::span(y).subspan(150 * 128, 50 * 128), std::span(truth).subspan(150 * 128, 50 * 128)),
      110);
}

TEST_P(ConvolverBy, MayWorkInPlace) {
  const std::vector<float> h = room(500, 9);
  Convolver convolver = make(64, h);
  std::vector<float> x = noise(640, 10);
  const auto truth = convolved(x, h);
  for (int at = 0; at < 640; at += 64)
    ASSERT_EQ(convolver.process({x.data() + at, 1, 64}, {x.data() + at, 1, 64}), Status::ok);
  EXPECT_GT(accuracy_db(x, truth), kLeastDecibels);
}

TEST_P(ConvolverBy, AMatrixSumsItsPaths) {
  // True stereo: both inputs to both outputs, with responses of different lengths.
  std::vector<std::vector<float>> h{room(3000, 11), room(100, 12), room(1, 13), room(2500, 14)};
  const std::vector<Convolver::Path> paths{{{0, 0}, h[0]}, {{0, 1}, h[1]}, {{1, 0}, h[2]}, {{1, 1}, h[3]}};
  Convolver convolver(GetParam().device,
                      {.inputs = 2, .outputs = 2, .max_block_frames = 128, .mode = GetParam().mode}, paths);
  constexpr int kFrames = 64 * 128;
  const std::vector<float> x = noise(2 * kFrames, 15);
  std::vector<float> y(2 * kFrames);
  const BlockView<const float> in(x.data(), 2, kFrames);
  const BlockView<float> out(y.data(), 2, kFrames);
  for (int at = 0; at < kFrames; at += 128)
    ASSERT_EQ(convolver.process(in.slice(at, 128), out.slice(at, 128)), Status::ok);
  for (int o = 0; o < 2; ++o) {
    std::vector<double> truth = convolved(in.channel(0), h[static_cast<std::size_t>(o)]);
    const auto other = convolved(in.channel(1), h[static_cast<std::size_t>(2 + o)]);
    for (std::size_t n = 0; n < truth.size(); ++n) truth[n] += other[n];
    EXPECT_GT(accuracy_db(out.channel(o), truth), kLeastDecibels) << "output " << o;
  }
}

TEST_P(ConvolverBy, RefusesAWrongShapeWithSilence) {
  const std::vector<float> h{1.0F};
  Convolver convolver = make(64, h);
  std::vector<float> x(200, 1.0F);
  std::vector<float> y(200, 1.0F);
  EXPECT_EQ(convolver.process({x.data(), 1, 65}, {y.data(), 1, 65}), Status::wrong_shape);
  EXPECT_EQ(y[64], 0.0F);
  EXPECT_EQ(y[65], 1.0F);
  EXPECT_EQ(convolver.process({x.data(), 2, 64}, {y.data(), 1, 64}), Status::wrong_shape);
}

INSTANTIATE_TEST_SUITE_P(Ways, ConvolverBy, testing::ValuesIn(ways()), [](const auto& test) {
  return std::string(to_string(test.param.mode)) + "_" + device_label(test.param.device);
});

class LongConvolverOn : public testing::TestWithParam<Device> {};

TEST_P(LongConvolverOn, HasEveryTapOfALongResponseInItsPlace) {
  // Sparse, so that the formula is quick: taps at the edges of every part of every level.
  const std::size_t taps = 300'000;
  std::vector<float> h(taps);
  std::vector<std::size_t> places;
  for (const std::size_t edge : {0U, 128U, 1024U, 2048U, 8192U, 16384U, 65536U, 131072U, 196608U, 262144U})
    for (const std::size_t place : {edge, edge + 1, edge + 127}) places.push_back(place);
  places.push_back(taps - 1);
  for (std::size_t i = 0; i < places.size(); ++i) h[places[i]] = (i % 2 == 0 ? 1.0F : -0.7F);
  const std::vector<float> x = noise(450'048, 16);
  std::vector<double> truth(x.size());
  for (const std::size_t place : places)
    for (std::size_t n = place; n < x.size(); ++n)
      truth[n] += static_cast<double>(h[place]) * static_cast<double>(x[n - place]);
  Convolver convolver = mono(GetParam(), Mode::partitioned, 128, h);
  EXPECT_GT(accuracy_db(played(convolver, x, {128}), truth), kLeastDecibels);
}

INSTANTIATE_TEST_SUITE_P(Devices, LongConvolverOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(Convolver, RefusesWhatCannotWork) {
  const Device cpu = Device::cpu();
  const std::vector<float> h{1.0F};
  const std::vector<float> bad{1.0F, std::numeric_limits<float>::infinity()};
  const Convolver::Path path{{0, 0}, h};
  const Convolver::Path nowhere{{0, 1}, h};
  EXPECT_THAT(
      [&] {
        Convolver(cpu, Convolver::Spec{}, {&nowhere, 1});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("to output 1")));
  EXPECT_THROW(Convolver(cpu, Convolver::Spec{}, {}), InvalidArgument);
  EXPECT_THROW(Convolver(cpu, {.inputs = 0}, {&path, 1}), InvalidArgument);
  EXPECT_THROW(Convolver(cpu, {.max_block_frames = 0}, {&path, 1}), InvalidArgument);
  EXPECT_THROW(Convolver(cpu, {.max_taps = -1}, {&path, 1}), InvalidArgument);
  EXPECT_THAT([&] { mono(cpu, Mode::direct, 64, bad); },
              ThrowsMessage<InvalidArgument>(HasSubstr("not finite, at 1")));
  Convolver convolver = mono(cpu, Mode::direct, 64, h);
  const Convolver::Path longer{{0, 0}, std::span<const float>(bad).first(1)};
  EXPECT_NO_THROW(convolver.set_responses({&longer, 1}));
  const std::vector<float> two{1.0F, 2.0F};
  const Convolver::Path too_long{{0, 0}, two};
  EXPECT_THROW(convolver.set_responses({&too_long, 1}), InvalidArgument);
  EXPECT_THROW(convolver.set_responses({&nowhere, 1}), InvalidArgument);
}

TEST(Convolver, AnEmptyResponseIsSilence) {
  Convolver convolver = mono(Device::cpu(), Mode::partitioned, 64, {});
  const std::vector<float> x = noise(64, 17);
  EXPECT_THAT(played(convolver, x, {64}), testing::Each(0.0F));
}

TEST(Convolver, KnowsItsModesByName) {
  for (const Mode mode : {Mode::automatic, Mode::direct, Mode::fft, Mode::partitioned})
    EXPECT_EQ(convolver_mode(to_string(mode)), mode);
  EXPECT_THROW((void)convolver_mode("magic"), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
