// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/stft_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/device_runtime.hpp"
#include "ringwave/core/error.hpp"
#include "tests/noise.hpp"
#include "tests/test_label.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr auto kLeaveAlone = [](std::span<Complex>) noexcept {};

/// What comes out of a signal that goes in by blocks of some size.
template <class Edit>
std::vector<float> run(StftStream& stream, const std::vector<float>& in, int block, Edit edit) {
  const int channels = stream.spec().channels;
  const int frames = static_cast<int>(in.size()) / channels;
  std::vector<float> out(in.size());
  for (int first = 0; first < frames; first += block) {
    const int count = std::min(block, frames - first);
    EXPECT_EQ(stream.process(BlockView<const float>(in.data(), channels, frames).slice(first, count),
                             BlockView<float>(out.data(), channels, frames).slice(first, count), edit),
              Status::ok);
  }
  return out;
}

class StftStreamOn : public testing::TestWithParam<Device> {};

TEST_P(StftStreamOn, LeftAloneIsADelayOfItsSize) {
  using Shape = Window::Shape;
  for (const int size : {16, 480, 1024})
    for (const int hop : {size / 2, size / 3, size / 4, 1 + size / 5})
      for (const Shape shape : {Shape::hann, Shape::hamming, Shape::blackman}) {
        constexpr int kFrames = 5000;
        StftStream stream(GetParam(), {.channels = 2, .size = size, .hop = hop, .window = {shape}});
        EXPECT_EQ(stream.latency_frames(), size);
        const std::vector<float> in = noise(std::size_t{2} * kFrames, 1);
        const std::vector<float> out = run(stream, in, 333, kLeaveAlone);
        for (int channel = 0; channel < 2; ++channel)
          for (int n = 0; n < kFrames; ++n) {
            const int at = channel * kFrames + n;
            // Windows that meet at their feet divide some roundings by a twentieth.
            ASSERT_NEAR(out[static_cast<std::size_t>(at)],
                        n < size ? 0.0F : in[static_cast<std::size_t>(at - size)], 2e-5)
                << size << " / " << hop << ", frame " << n;
          }
      }
}

TEST_P(StftStreamOn, BlocksOfAnySizeGiveTheSameSamples) {
  const auto low_pass = [](std::span<Complex> bins) noexcept {
    for (std::size_t k = 0; k < bins.size(); ++k)
      if (k % 129 > 40) bins[k] = 0;
  };
  StftStream stream(GetParam(), {.channels = 2, .size = 256, .hop = 64});
  const std::vector<float> in = noise(6000, 1);
  const std::vector<float> whole = run(stream, in, 3000, low_pass);
  for (const int block : {1, 63, 64, 65, 256, 1000}) {
    stream.reset();
    EXPECT_EQ(run(stream, in, block, low_pass), whole) << block;
  }
}

TEST_P(StftStreamOn, ABinThatIsTakenOutTakesItsSineWithIt) {
  StftStream stream(GetParam(), {.channels = 1, .size = 1024, .hop = 256});
  std::vector<float> in(20000);
  for (std::size_t n = 0; n < in.size(); ++n) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(n) / 1024;
    in[n] = static_cast<float>(0.5 * std::sin(100 * turn) + 0.25 * std::sin(300 * turn));
  }
  const std::vector<float> out = run(stream, in, 480, [](std::span<Complex> bins) noexcept {
    for (std::size_t k = 290; k < 310; ++k) bins[k] = 0;
  });
  for (std::size_t n = 4096; n < out.size(); ++n) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(n - 1024) / 1024;
    ASSERT_NEAR(out[n], 0.5 * std::sin(100 * turn), 1e-5) << n;
  }
}

TEST_P(StftStreamOn, ANotANumberPassesAndIsGone) {
  StftStream stream(GetParam(), {.channels = 1, .size = 64, .hop = 16});
  std::vector<float> in(1000, 0.25F);
  in[100] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> out = run(stream, in, 50, kLeaveAlone);
  for (std::size_t n = 100 + 2 * 64; n < out.size(); ++n) ASSERT_NEAR(out[n], 0.25, 1e-6) << n;
}

TEST_P(StftStreamOn, InAndOutMayBeTheSame) {
  StftStream stream(GetParam(), {.channels = 2, .size = 128, .hop = 32});
  std::vector<float> samples = noise(2000, 1);
  const std::vector<float> apart = run(stream, samples, 1000, kLeaveAlone);
  stream.reset();
  const BlockView<float> block(samples.data(), 2, 1000);
  ASSERT_EQ(stream.process(block, block, kLeaveAlone), Status::ok);
  EXPECT_EQ(samples, apart);
}

TEST_P(StftStreamOn, AnotherNumberOfChannelsIsRefused) {
  StftStream stream(GetParam(), {.channels = 2, .size = 128, .hop = 32});
  std::vector<float> samples(300, 1.0F);
  std::vector<float> out(300, 7.0F);
  EXPECT_EQ(stream.process(BlockView<const float>(samples.data(), 3, 100),
                           BlockView<float>(out.data(), 3, 100), kLeaveAlone),
            Status::wrong_shape);
  EXPECT_EQ(stream.process(BlockView<const float>(samples.data(), 2, 100),
                           BlockView<float>(out.data(), 2, 99), kLeaveAlone),
            Status::wrong_shape);
  EXPECT_EQ(out.front(), 7.0F);
}

INSTANTIATE_TEST_SUITE_P(Devices, StftStreamOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(StftStream, SaysWhatItCannotDo) {
  const auto make = [](StftStream::Spec spec) { return [spec] { (void)StftStream(Device::cpu(), spec); }; };
  EXPECT_THAT(make({.channels = 0}), ThrowsMessage<InvalidArgument>(HasSubstr("channels")));
  EXPECT_THAT(make({.size = 1, .hop = 1}), ThrowsMessage<InvalidArgument>(HasSubstr("points")));
  EXPECT_THAT(make({.size = 64, .hop = 65}), ThrowsMessage<InvalidArgument>(HasSubstr("hop")));
  EXPECT_THAT(make({.size = 64, .hop = 64}), ThrowsMessage<InvalidArgument>(HasSubstr("for example 32")));
}

}  // namespace
}  // namespace ringwave::dsp
