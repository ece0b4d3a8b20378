// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/stft.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/core/device_runtime.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/overlap.hpp"
#include "tests/accuracy.hpp"
#include "tests/noise.hpp"
#include "tests/test_label.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using ComplexD = std::complex<double>;
using Padding = Stft::Padding;
using Shape = Window::Shape;

// As fft.test.cpp has it: a transform's rounding grows with the square root of log N.
constexpr double kLeastDecibels = 120;

/// The sample at any place of a padded signal.
double padded(std::span<const float> x, const Stft::Spec& spec, long place) {
  const auto count = static_cast<long>(x.size());
  if (place < 0 || place >= count) {
    if (spec.padding != Padding::reflect) return 0;
    place = place < 0 ? -place : 2 * (count - 1) - place;
  }
  return static_cast<double>(x[static_cast<std::size_t>(place)]);
}

/// One frame of one channel by the formula, in double.
std::vector<ComplexD> definition(std::span<const float> x, const Stft::Spec& spec, int frame) {
  std::vector<double> windowed = window_values(spec.window, spec.size);
  const long start = long{frame} * spec.hop - (spec.padding == Padding::none ? 0 : spec.size / 2);
  for (std::size_t n = 0; n < windowed.size(); ++n)
    windowed[n] *= padded(x, spec, start + static_cast<long>(n));
  std::vector<ComplexD> roots;
  for (int k = 0; k < spec.size; ++k) roots.push_back(std::polar(1.0, -2 * std::numbers::pi * k / spec.size));
  std::vector<ComplexD> made(static_cast<std::size_t>(spec.size / 2 + 1));
  for (std::size_t k = 0; k < made.size(); ++k)
    for (std::size_t n = 0; n < windowed.size(); ++n) made[k] += windowed[n] * roots[k * n % roots.size()];
  return made;
}

class StftOn : public testing::TestWithParam<Device> {};

TEST_P(StftOn, IsItsDefinition) {
  for (const int size : {1, 2, 15, 64, 100, 128, 256, 480, 512, 1000, 1021, 1024, 2048})
    for (const Padding padding : {Padding::reflect, Padding::zero, Padding::none})
      for (const Shape shape : {Shape::hann, Shape::kaiser}) {
        const Stft::Spec spec{.size = size,
                              .hop = std::max(1, size / 3),
                              .window = {shape},
                              .padding = padding,
                              .channels = 3,
                              .samples = 2 * size + 77};
        Stft stft(GetParam(), spec);
        const std::vector<float> x = noise(stft.sample_count(), 1);
        std::vector<Complex> bins(stft.total_bins());
        ASSERT_EQ(stft.forward(x, bins), Status::ok);
        for (const int frame : {0, 1, stft.frame_count() / 2, stft.frame_count() - 1})
          for (const int channel : {0, 2}) {
            const auto one = std::span(x).subspan(static_cast<std::size_t>(channel * spec.samples),
                                                  static_cast<std::size_t>(spec.samples));
            const auto row =
                static_cast<std::size_t>((channel * stft.frame_count() + frame) * stft.bin_count());
            EXPECT_GT(accuracy_db(std::span(bins).subspan(row, static_cast<std::size_t>(stft.bin_count())),
                                  definition(one, spec, frame)),
                      kLeastDecibels)
                << size << " points, padding " << static_cast<int>(padding) << ", frame " << frame
                << " of channel " << channel;
          }
      }
}

TEST_P(StftOn, ThereAndBackIsTheSignalWhateverTheWindowAndTheHop) {
  for (const int size : {64, 480, 1024, 1021, 4096})
    for (const int parts : {2, 3, 4, 7})
      for (const Shape shape : {Shape::hann, Shape::hamming, Shape::blackman, Shape::kaiser})
        for (const Padding padding : {Padding::reflect, Padding::zero}) {
          const int hop = size / parts;
          Stft stft(
              GetParam(),
              {.size = size, .hop = hop, .window = {shape}, .padding = padding, .samples = 3 * size + 5});
          const std::vector<float> x = noise(stft.sample_count(), 2);
          std::vector<Complex> bins(stft.total_bins());
          std::vector<float> back(x.size(), 9.0F);
          ASSERT_EQ(stft.forward(x, bins), Status::ok);
          ASSERT_EQ(stft.inverse(bins, back), Status::ok);
          // Where two windows meet at their feet, rounding is divided by the little that they weigh.
          EXPECT_GT(accuracy_db(back, x), kLeastDecibels - grade_overlap({shape}, size, hop).square_ripple_db)
              << size << " / " << hop << ", shape " << static_cast<int>(shape);
        }
}

TEST_P(StftOn, LosesOnlyWhatNoWindowWeighs) {
  // Hann's first value is 0, and the last frame ends 19 samples before the signal does.
  Stft stft(GetParam(), {.size = 128, .hop = 32, .padding = Padding::none, .samples = 128 + 10 * 32 + 19});
  const std::vector<float> x = noise(stft.sample_count(), 3);
  std::vector<Complex> bins(stft.total_bins());
  std::vector<float> back(x.size(), 9.0F);
  ASSERT_EQ(stft.frame_count(), 11);
  ASSERT_EQ(stft.forward(x, bins), Status::ok);
  ASSERT_EQ(stft.inverse(bins, back), Status::ok);
  EXPECT_EQ(back.front(), 0.0F);
  for (std::size_t n = x.size() - 19; n < x.size(); ++n) EXPECT_EQ(back[n], 0.0F) << n;
  // One window of 0.0006 stands alone at the second sample: rounding counts 1700 times there. A quarter of a
  // frame from the ends a window weighs a half or more.
  for (std::size_t n = 1; n < x.size() - 20; ++n)
    EXPECT_NEAR(back[n], x[n], n < 32 || n + 52 >= x.size() ? 1e-3 : 2e-6) << n;
}

TEST_P(StftOn, AGapBetweenFramesComesBackAsSilence) {
  Stft stft(
      GetParam(),
      {.size = 64, .hop = 100, .window = {Shape::rectangular}, .padding = Padding::none, .samples = 264});
  const std::vector<float> x = noise(264, 4);
  std::vector<Complex> bins(stft.total_bins());
  std::vector<float> back(x.size(), 9.0F);
  ASSERT_EQ(stft.forward(x, bins), Status::ok);
  ASSERT_EQ(stft.inverse(bins, back), Status::ok);
  for (std::size_t n = 0; n < x.size(); ++n) EXPECT_NEAR(back[n], n % 100 < 64 ? x[n] : 0.0F, 1e-6) << n;
}

TEST_P(StftOn, ASineOfAmplitudeOneShowsAsAHalf) {
  Stft stft(GetParam(), {.size = 1024, .hop = 256, .scaling = Stft::Scaling::amplitude, .samples = 8192});
  std::vector<float> x(8192);
  for (std::size_t n = 0; n < x.size(); ++n)
    x[n] = static_cast<float>(std::sin(2 * std::numbers::pi * 100 * static_cast<double>(n) / 1024));
  std::vector<Complex> bins(stft.total_bins());
  ASSERT_EQ(stft.forward(x, bins), Status::ok);
  for (int frame = 2; frame < stft.frame_count() - 2; ++frame)
    EXPECT_NEAR(std::abs(bins[static_cast<std::size_t>(frame * stft.bin_count() + 100)]), 0.5, 1e-6) << frame;
}

TEST_P(StftOn, ScalingIsAFactorAndTheInverseTakesItBack) {
  for (const auto scaling : {Stft::Scaling::unitary, Stft::Scaling::amplitude}) {
    const std::vector<float> x = noise(5000, 5);
    Stft plain(GetParam(), {.size = 512, .hop = 128, .samples = 5000});
    Stft scaled(GetParam(), {.size = 512, .hop = 128, .scaling = scaling, .samples = 5000});
    std::vector<Complex> bins(plain.total_bins());
    std::vector<Complex> small(bins.size());
    ASSERT_EQ(plain.forward(x, bins), Status::ok);
    ASSERT_EQ(scaled.forward(x, small), Status::ok);
    const float factor = scaling == Stft::Scaling::unitary ? 1 / std::sqrt(512.0F) : 1 / 256.0F;
    for (Complex& bin : bins) bin *= factor;
    EXPECT_GT(accuracy_db(small, bins), kLeastDecibels);
    std::vector<float> back(x.size());
    ASSERT_EQ(scaled.inverse(small, back), Status::ok);
    EXPECT_GT(accuracy_db(back, x), kLeastDecibels);
  }
}

TEST_P(StftOn, LongSignalsOfManyChannels) {
  // Long enough for several pieces on a GPU, of a size that its own kernel does not know too.
  for (const int size : {2048, 3000})
    for (const int channels : {1, 2}) {
      const Stft::Spec spec{.size = size, .hop = size / 4, .channels = channels, .samples = 3'000'001};
      Stft stft(GetParam(), spec);
      const std::vector<float> x = noise(stft.sample_count(), 6);
      std::vector<Complex> bins(stft.total_bins());
      ASSERT_EQ(stft.forward(x, bins), Status::ok);
      const int last = channels - 1;
      const auto one = std::span(x).subspan(static_cast<std::size_t>(last) * 3'000'001);
      for (const int frame : {0, 2731, stft.frame_count() - 1}) {
        const std::size_t row =
            (static_cast<std::size_t>(last) * static_cast<std::size_t>(stft.frame_count()) +
             static_cast<std::size_t>(frame)) *
            static_cast<std::size_t>(stft.bin_count());
        EXPECT_GT((accuracy_db(std::span(bins).subspan(row, static_cast<std::size_t>(stft.bin_count())),
                               definition(one, spec, frame))),
                  kLeastDecibels)
            << frame;
      }
      std::vector<float> back(x.size());
      ASSERT_EQ(stft.inverse(bins, back), Status::ok);
      EXPECT_GT(accuracy_db(back, x), kLeastDecibels);
    }
}

TEST_P(StftOn, InAQueueItIsTheSame) {
  for (const int size : {1024, 1000}) {
    Stft stft(GetParam(), {.size = size, .hop = 250, .channels = 2, .samples = 10'000});
    Queue queue(GetParam());
    Buffer<float> x(GetParam(), stft.sample_count());
    Buffer<Complex> bins(GetParam(), stft.total_bins());
    Buffer<float> back(GetParam(), stft.sample_count());
    const std::vector<float> samples = noise(stft.sample_count(), 7);
    x.copy_from(samples);
    ASSERT_EQ(stft.enqueue_forward(queue, x.device(queue).data(), bins.overwrite_device().data()),
              Status::ok);
    std::vector<Complex> queued(bins.host(queue).begin(), bins.host(queue).end());
    std::vector<Complex> direct(stft.total_bins());
    ASSERT_EQ(stft.forward(samples, direct), Status::ok);
    EXPECT_EQ(queued, direct);
    ASSERT_EQ(stft.enqueue_inverse(queue, bins.overwrite_device().data(), back.overwrite_device().data()),
              Status::ok);
    EXPECT_GT(accuracy_db(back.host(queue), samples), kLeastDecibels);
  }
}

TEST_P(StftOn, SpansThatAreTooShortAreRefused) {
  Stft stft(GetParam(), {.size = 256, .hop = 64, .samples = 1000});
  std::vector<float> x(stft.sample_count(), 1.0F);
  std::vector<Complex> bins(stft.total_bins(), Complex(7, 7));
  EXPECT_EQ(stft.forward(std::span(x).first(999), bins), Status::wrong_shape);
  EXPECT_EQ(stft.inverse(std::span(bins).first(bins.size() - 1), x), Status::wrong_shape);
  EXPECT_EQ(bins.front(), Complex(7, 7));
  EXPECT_EQ(x.front(), 1.0F);
}

INSTANTIATE_TEST_SUITE_P(Devices, StftOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(Stft, CountsFramesAsItSays) {
  const auto frames = [](Padding padding, int size, int hop, int samples) {
    return Stft(Device::cpu(), {.size = size, .hop = hop, .padding = padding, .samples = samples})
        .frame_count();
  };
  EXPECT_EQ(frames(Padding::none, 8, 4, 8), 1);
  EXPECT_EQ(frames(Padding::none, 8, 4, 11), 1);
  EXPECT_EQ(frames(Padding::none, 8, 4, 12), 2);
  EXPECT_EQ(frames(Padding::reflect, 8, 4, 12), 4);
  EXPECT_EQ(frames(Padding::zero, 8, 4, 1), 1);
  EXPECT_EQ(frames(Padding::zero, 9, 4, 12), 3);
  EXPECT_EQ(frames(Padding::zero, 8, 100, 12), 1);
}

TEST(Stft, SaysWhatItCannotDo) {
  const auto make = [](Stft::Spec spec) { return [spec] { (void)Stft(Device::cpu(), spec); }; };
  EXPECT_THAT(make({.size = 0}), ThrowsMessage<InvalidArgument>(HasSubstr("1 to 2^26 points")));
  EXPECT_THAT(make({.hop = 0}), ThrowsMessage<InvalidArgument>(HasSubstr("a hop of 1")));
  EXPECT_THAT(make({.channels = 0}), ThrowsMessage<InvalidArgument>(HasSubstr("channels")));
  EXPECT_THAT(make({.samples = 0}), ThrowsMessage<InvalidArgument>(HasSubstr("samples")));
  EXPECT_THAT(make({.size = 64, .samples = 32}),
              ThrowsMessage<InvalidArgument>(HasSubstr("nothing to reflect")));
  EXPECT_THAT(make({.size = 64, .padding = Padding::none, .samples = 63}),
              ThrowsMessage<InvalidArgument>(HasSubstr("padding")));
  EXPECT_THAT(make({.size = 1 << 20, .hop = 1, .samples = 1 << 30}),
              ThrowsMessage<InvalidArgument>(HasSubstr("2^36 bins")));
  EXPECT_THROW(make({.window = {Shape::kaiser, true, -1}})(), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
