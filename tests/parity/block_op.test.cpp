// SPDX-License-Identifier: Apache-2.0
// The conformance suite of ops that turn blocks into blocks: shapes, cuts, views and signals.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/parity/case.hpp"

namespace ringwave::parity {
namespace {

class BlockOpParity : public testing::TestWithParam<Case> {};

TEST_P(BlockOpParity, RandomShapesAndCuts) {
  for (std::uint32_t seed = 1; seed <= 16; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&random](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    const int channels = pick(1, 20);
    const int frames = pick(1, 3000);
    std::vector<int> cuts(static_cast<std::size_t>(pick(1, 5)));
    for (int& cut : cuts) cut = pick(1, frames);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + std::to_string(channels) + " channels, " +
                 std::to_string(frames) + " frames, cuts " + testing::PrintToString(cuts));
    const Signal in = noise(channels, frames, seed);
    const auto op = GetParam().make(channels, frames);
    expect_parity(GetParam(), in, run(*op, in, cuts));
    if (HasFatalFailure()) return;
  }
}

TEST_P(BlockOpParity, AnyNumberOfChannels) {
  for (const int channels : {1, 2, 3, 7, 8, 9, 17, 64}) {
    SCOPED_TRACE(std::to_string(channels) + " channels");
    const Signal in = noise(channels, 777, 7);
    const auto op = GetParam().make(channels, 480);
    expect_parity(GetParam(), in, run(*op, in, 480));
    if (HasFatalFailure()) return;
  }
}

TEST_P(BlockOpParity, TheSameSamplesForAnyBlockSize) {
  const Signal in = noise(3, 4500, 11);
  const auto whole = GetParam().make(3, in.frames());
  const Signal expected = run(*whole, in, in.frames());
  expect_parity(GetParam(), in, expected);
  for (const int block : {1, 2, 3, 16, 63, 64, 65, 480, 1000, 4096}) {
    SCOPED_TRACE("blocks of " + std::to_string(block));
    const auto op = GetParam().make(3, block);
    const Signal out = run(*op, in, block);
    expect_same(GetParam(), out, expected);
    if (HasFatalFailure()) return;
  }
}

TEST_P(BlockOpParity, BlocksOfManySeconds) {
  for (const auto& [channels, frames] : {std::pair{5, 20'000}, std::pair{1, 300'000}}) {
    SCOPED_TRACE(std::to_string(channels) + " x " + std::to_string(frames));
    const Signal in = noise(channels, frames, 13);
    const auto op = GetParam().make(channels, frames);
    expect_parity(GetParam(), in, run(*op, in, frames));
    if (HasFatalFailure()) return;
  }
}

TEST_P(BlockOpParity, ALongBlockGoesOnWhereAShortOneEnded) {
  const Signal in = noise(2, 70'000, 17);
  const auto op = GetParam().make(2, 65'536);
  const std::vector<int> cuts{17, 65'536, 1};
  expect_parity(GetParam(), in, run(*op, in, cuts));
}

TEST_P(BlockOpParity, InPlaceIsOutOfPlace) {
  for (const int frames : {1, 64, 1000, 10'000}) {
    SCOPED_TRACE(std::to_string(frames) + " frames");
    Signal signal = noise(3, frames, 19);
    const auto apart = GetParam().make(3, frames);
    const Signal expected = run(*apart, signal, frames);
    const auto op = GetParam().make(3, frames);
    ASSERT_EQ(op->process(signal.view(), signal.view()), Status::ok);
    expect_same(GetParam(), signal, expected);
    if (HasFatalFailure()) return;
  }
}

TEST_P(BlockOpParity, WritesNothingBetweenThePlanes) {
  for (const auto& [channels, frames] : {std::pair{3, 65}, std::pair{9, 480}, std::pair{2, 5000}}) {
    const Signal in = noise(channels, frames, 23);
    const auto plain = GetParam().make(channels, frames);
    const Signal expected = run(*plain, in, frames);
    for (const int gap : {1, 3, 64}) {
      SCOPED_TRACE(std::to_string(channels) + " x " + std::to_string(frames) + ", gap " +
                   std::to_string(gap));
      const Signal strided = in.with_gap(gap);
      Signal out(channels, frames, gap + 2);
      const auto op = GetParam().make(channels, frames);
      ASSERT_EQ(op->process(strided.view(), out.view()), Status::ok);
      expect_same(GetParam(), out, expected);
      ASSERT_TRUE(out.gaps_untouched() && strided.gaps_untouched());
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(BlockOpParity, SilenceStaysSilence) {
  const auto op = GetParam().make(4, 512);
  const Signal out = run(*op, constant(4, 5000, 0.0F), 512);
  for (const float sample : out.memory()) ASSERT_EQ(sample, 0.0F);
}

TEST_P(BlockOpParity, ResetBringsSilenceAtOnce) {
  const auto op = GetParam().make(4, 512);
  (void)run(*op, full_scale(4, 2000, 29), 512);
  op->reset();
  const Signal out = run(*op, constant(4, 2000, 0.0F), 512);
  for (const float sample : out.memory()) ASSERT_EQ(sample, 0.0F);
}

TEST_P(BlockOpParity, ResetBringsTheFirstRunBack) {
  const Signal in = noise(3, 3000, 31);
  const auto op = GetParam().make(3, 700);
  const Signal first = run(*op, in, 700);
  op->reset();
  expect_same(GetParam(), run(*op, in, 700), first);
}

TEST_P(BlockOpParity, SignalsOfEveryKind) {
  const std::pair<const char*, Signal> signals[] = {
      {"an impulse", impulses(5, 3000)},
      {"full scale", full_scale(3, 3000, 37)},
      {"direct current", constant(2, 3000, 1.0F)},
      {"the largest a converter knows, a thousandfold", constant(2, 3000, -1000.0F)},
      {"as quiet as 24 bits go", noise(2, 3000, 41, 1.2e-7F)},
  };
  for (const auto& [name, in] : signals) {
    SCOPED_TRACE(name);
    const auto op = GetParam().make(in.channels(), 480);
    expect_parity(GetParam(), in, run(*op, in, 480));
    if (HasFatalFailure()) return;
  }
}

TEST_P(BlockOpParity, SubnormalsStayHarmless) {
  // They may count as zero or not; either way what comes out is 700 dB below full scale.
  constexpr float kInaudible = 1e-35F;
  const auto op = GetParam().make(2, 256);
  const Signal out = run(*op, noise(2, 3000, 43, 1e-39F), 256);
  for (const float sample : out.memory()) ASSERT_LT(std::abs(sample), kInaudible);
  // And what is loud afterwards is as if they had been zero.
  op->reset();
  Signal in = noise(2, 3000, 47);
  for (int i = 0; i < 2; ++i) std::ranges::fill(in.channel(i).first(1000), 1e-40F);
  expect_parity(GetParam(), in, run(*op, in, 256));
}

TEST_P(BlockOpParity, AWrongShapeIsRefusedWithSilence) {
  const auto op = GetParam().make(2, 64);
  const Signal in = noise(2, 64, 53);
  const auto refuses = [&](BlockView<const float> from, Signal to) {
    std::ranges::fill(to.memory(), 1.0F);
    const Status status = op->process(from, to.view());
    return status == Status::wrong_shape &&
           std::ranges::all_of(to.memory(), [](float sample) { return sample == 0.0F; });
  };
  EXPECT_TRUE(refuses(noise(2, 65, 53).view(), Signal(2, 65))) << "more frames than prepared";
  EXPECT_TRUE(refuses(noise(3, 64, 53).view(), Signal(3, 64))) << "more channels than prepared";
  EXPECT_TRUE(refuses(noise(1, 64, 53).view(), Signal(1, 64))) << "fewer channels than prepared";
  EXPECT_TRUE(refuses(in.view(), Signal(2, 63))) << "output shorter than input";
  EXPECT_TRUE(refuses(in.view(), Signal(1, 64))) << "output with fewer channels";
  // The refused blocks left no trace.
  expect_parity(GetParam(), in, run(*op, in, 64));
}

TEST_P(BlockOpParity, AnEmptyBlockChangesNothing) {
  const auto op = GetParam().make(2, 64);
  const Signal in = noise(2, 128, 59);
  Signal out(2, 128);
  ASSERT_EQ(op->process(in.view().slice(0, 64), out.view().slice(0, 64)), Status::ok);
  ASSERT_EQ(op->process(in.view().slice(64, 0), out.view().slice(64, 0)), Status::ok);
  ASSERT_EQ(op->process(in.view().slice(64, 64), out.view().slice(64, 64)), Status::ok);
  expect_parity(GetParam(), in, out);
}

INSTANTIATE_TEST_SUITE_P(Ops, BlockOpParity, testing::ValuesIn(all_cases()), name_of);

TEST(ParityCoverage, CudaIsRun) {
  if (Device::all().size() == 1) GTEST_SKIP() << "the CUDA half was not run: " << Device::why_no_gpu();
}

}  // namespace
}  // namespace ringwave::parity
