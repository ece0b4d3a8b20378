// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/fft.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

#include "ringwave/core/device_runtime.hpp"
#include "ringwave/core/error.hpp"
#include "tests/accuracy.hpp"
#include "tests/noise.hpp"
#include "tests/test_label.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using ComplexD = std::complex<double>;

// Rounding grows with the square root of log N; 120 dB leave a factor of 16 over a single float rounding.
constexpr double kLeastDecibels = 120;

std::vector<Complex> complex_noise(std::size_t count, unsigned seed) {
  const std::vector<float> parts = noise(2 * count, seed);
  std::vector<Complex> made;
  for (std::size_t i = 0; i < parts.size(); i += 2) made.emplace_back(parts[i], parts[i + 1]);
  return made;
}

/// The definition, in double; the angle is reduced before it is turned into a sine.
template <class Value>
std::vector<ComplexD> definition(std::span<const Value> x, int sign) {
  const std::size_t size = x.size();
  std::vector<ComplexD> roots(size);
  for (std::size_t i = 0; i < size; ++i)
    roots[i] =
        std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size));
  std::vector<ComplexD> made(size);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t n = 0; n < size; ++n) made[k] += ComplexD(x[n]) * roots[k * n % size];
  return made;
}

class FftOn : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Fft make(Fft::Spec spec) { return {GetParam(), spec}; }
};

const std::vector<int> kSizes{1,   2,   3,    4,    5,    6,    7,    8,    9,   11,  13,  15,
                              16,  17,  30,   31,   32,   60,   64,   97,   100, 105, 127, 128,
                              210, 243, 255,  256,  343,  441,  480,  500,  509, 512, 600, 625,
                              960, 999, 1000, 1021, 1024, 1920, 2048, 2401, 4096};

TEST_P(FftOn, OfRealSamplesIsItsDefinitionAtAnyLength) {
  for (const int size : kSizes) {
    Fft fft = make({.size = size, .scaling = Fft::Scaling::none});
    const std::vector<float> x = noise(static_cast<std::size_t>(size), 1);
    std::vector<Complex> bins(fft.bin_extent());
    ASSERT_EQ(bins.size(), static_cast<std::size_t>(size / 2 + 1));
    ASSERT_EQ(fft.forward(x, bins), Status::ok);
    const auto truth = definition<float>(x, -1);
    EXPECT_GT(accuracy_db(bins, truth), kLeastDecibels) << size << " points";
    std::vector<float> back(x.size());
    ASSERT_EQ(fft.inverse(bins, back), Status::ok);
    std::vector<float> scaled;
    for (const float sample : x) scaled.push_back(sample * static_cast<float>(size));
    EXPECT_GT(accuracy_db(back, scaled), kLeastDecibels) << size << " points, back";
  }
}

TEST_P(FftOn, OfComplexSamplesIsItsDefinitionAtAnyLength) {
  for (const int size : kSizes) {
    Fft fft = make({.size = size, .kind = Fft::Kind::complex, .scaling = Fft::Scaling::none});
    const std::vector<Complex> x = complex_noise(static_cast<std::size_t>(size), 2);
    std::vector<Complex> y(x.size());
    ASSERT_EQ(fft.forward(x, y), Status::ok);
    EXPECT_GT(accuracy_db(y, definition<Complex>(x, -1)), kLeastDecibels) << size;
    ASSERT_EQ(fft.inverse(x, y), Status::ok);
    EXPECT_GT(accuracy_db(y, definition<Complex>(x, 1)), kLeastDecibels) << size << " inverse";
  }
}

TEST_P(FftOn, ThereAndBackIsTheSignalUnlessScalingIsOff) {
  for (const int size : {256, 1000, 65536})
    for (const auto scaling : {Fft::Scaling::inverse, Fft::Scaling::unitary}) {
      Fft fft = make({.size = size, .scaling = scaling});
      const std::vector<float> x = noise(static_cast<std::size_t>(size), 3);
      std::vector<Complex> bins(fft.bin_extent());
      std::vector<float> back(x.size());
      ASSERT_EQ(fft.forward(x, bins), Status::ok);
      ASSERT_EQ(fft.inverse(bins, back), Status::ok);
      EXPECT_GT(accuracy_db(back, x), kLeastDecibels) << size;
    }
}

TEST_P(FftOn, UnitaryKeepsTheEnergy) {
  Fft fft = make({.size = 4096, .kind = Fft::Kind::complex, .scaling = Fft::Scaling::unitary});
  const std::vector<Complex> x = complex_noise(4096, 4);
  std::vector<Complex> y(x.size());
  ASSERT_EQ(fft.forward(x, y), Status::ok);
  double before = 0;
  double after = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    before += std::norm(ComplexD(x[i]));
    after += std::norm(ComplexD(y[i]));
  }
  EXPECT_NEAR(after / before, 1, 1e-6);
}

TEST_P(FftOn, ASineIsOneLine) {
  Fft fft = make({.size = 480});
  std::vector<float> x(480);
  for (std::size_t n = 0; n < x.size(); ++n)
    x[n] = static_cast<float>(std::sin(2 * std::numbers::pi * 10 * static_cast<double>(n) / 480));
  std::vector<Complex> bins(fft.bin_extent());
  ASSERT_EQ(fft.forward(x, bins), Status::ok);
  EXPECT_NEAR(std::abs(bins[10]), 240, 1e-3);
  EXPECT_NEAR(std::arg(bins[10]), -std::numbers::pi / 2, 1e-5);
  bins[10] = 0;
  for (std::size_t k = 0; k < bins.size(); ++k) EXPECT_LT(std::abs(bins[k]), 1e-3) << "bin " << k;
}

TEST_P(FftOn, BatchesMayLieInAnyStrideAndNothingBetweenThemIsTouched) {
  // Three transforms of 20 points side by side, as interleaved channels are, into rows with a gap.
  constexpr int kSize = 20;
  constexpr int kBatch = 3;
  Fft fft = make({.size = kSize,
                  .batch = kBatch,
                  .scaling = Fft::Scaling::unitary,
                  .time = {.stride = 5, .distance = 1},
                  .bins = {.stride = 2, .distance = 30}});
  std::vector<float> x = noise(fft.sample_extent(), 5);
  const std::vector<float> kept = x;
  const Complex untouched(7, 7);
  std::vector<Complex> bins(fft.bin_extent(), untouched);
  ASSERT_EQ(fft.forward(x, bins), Status::ok);
  std::size_t changed = 0;
  for (const Complex& bin : bins) changed += bin == untouched ? 0U : 1U;
  EXPECT_EQ(changed, std::size_t{kBatch * (kSize / 2 + 1)});
  for (int b = 0; b < kBatch; ++b) {
    std::vector<float> one;
    for (int n = 0; n < kSize; ++n) one.push_back(x[static_cast<std::size_t>(b + 5 * n)]);
    const auto truth = definition<float>(one, -1);
    for (int k = 0; k <= kSize / 2; ++k) {
      const ComplexD found(bins[static_cast<std::size_t>(30 * b + 2 * k)]);
      EXPECT_LT(std::abs(found - truth[static_cast<std::size_t>(k)] / std::sqrt(20.0)), 1e-5);
    }
  }
  EXPECT_EQ(x, kept) << "the input of a forward transform is not touched";
  std::vector<float> back(x.size(), 7.0F);
  ASSERT_EQ(fft.inverse(bins, back), Status::ok);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool sample = i % 5 < kBatch;
    EXPECT_NEAR(back[i], sample ? x[i] : 7.0F, 1e-5F) << i;
  }
}

TEST_P(FftOn, InPlaceGivesTheSame) {
  for (const int size : {64, 100, 128, 1024, 4096, 97}) {
    Fft apart = make({.size = size, .batch = 5});
    Fft within = make({.size = size, .batch = 5, .in_place = true});
    const std::vector<float> x = noise(apart.sample_extent(), 6);
    std::vector<Complex> bins(apart.bin_extent());
    ASSERT_EQ(apart.forward(x, bins), Status::ok);
    std::vector<Complex> memory(within.bin_extent());
    auto* const samples = reinterpret_cast<float*>(memory.data());
    const auto row = static_cast<std::size_t>(within.spec().time.distance);
    for (std::size_t i = 0; i < x.size(); ++i)
      samples[i / static_cast<std::size_t>(size) * row + i % static_cast<std::size_t>(size)] = x[i];
    ASSERT_EQ(within.forward({samples, 2 * memory.size()}, memory), Status::ok);
    EXPECT_GT(accuracy_db(memory, bins), kLeastDecibels) << size;
    ASSERT_EQ(within.inverse(memory, {samples, 2 * memory.size()}), Status::ok);
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_NEAR(samples[i / static_cast<std::size_t>(size) * row + i % static_cast<std::size_t>(size)],
                  x[i], 1e-5F);
  }
}

TEST_P(FftOn, MemoryThatIsNotAlignedGivesTheSame) {
  Fft fft = make({.size = 256});
  const std::vector<float> x = noise(257, 7);
  std::vector<Complex> even(130);
  std::vector<Complex> odd(130);
  const std::vector<float> moved(x.begin() + 1, x.end());
  ASSERT_EQ(fft.forward({moved.data(), 256}, {even.data(), 129}), Status::ok);
  ASSERT_EQ(fft.forward({x.data() + 1, 256}, {odd.data() + 1, 129}), Status::ok);
  for (std::size_t k = 0; k < 129; ++k) EXPECT_LT(std::abs(even[k] - odd[k + 1]), 1e-4F);
}

TEST_P(FftOn, RefusesMemoryThatIsTooShortOrOfAnotherKind) {
  Fft fft = make({.size = 64, .batch = 2});
  std::vector<float> x(128);
  std::vector<Complex> y(66);
  EXPECT_EQ(fft.forward(x, y), Status::ok);
  EXPECT_EQ(fft.forward({x.data(), 127}, y), Status::wrong_shape);
  EXPECT_EQ(fft.forward(x, {y.data(), 65}), Status::wrong_shape);
  EXPECT_EQ(fft.inverse(y, {x.data(), 127}), Status::wrong_shape);
  const std::vector<Complex> z(128);
  std::vector<Complex> w(128);
  EXPECT_EQ(fft.forward(z, w), Status::wrong_shape) << "complex samples for a real transform";
  EXPECT_EQ(fft.forward({reinterpret_cast<float*>(y.data()), 128}, y), Status::wrong_shape)
      << "in place where that was not asked for";
}

TEST_P(FftOn, InAQueueItGivesTheSame) {
  Fft fft = make({.size = 512, .batch = 3});
  const std::vector<float> x = noise(fft.sample_extent(), 8);
  std::vector<Complex> direct(fft.bin_extent());
  ASSERT_EQ(fft.forward(x, direct), Status::ok);
  Queue queue(fft.device());
  DeviceRuntime& runtime = fft.device().runtime();
  auto* const samples = static_cast<float*>(runtime.allocate((x.size() + 1) * sizeof(float)));
  auto* const bins = static_cast<Complex*>(runtime.allocate(direct.size() * sizeof(Complex)));
  std::vector<Complex> found(direct.size());
  std::vector<float> back(x.size());
  queue.copy(samples, x.data(), x.size() * sizeof(float));
  ASSERT_EQ(fft.enqueue_forward(queue, samples, bins), Status::ok);
  queue.copy(found.data(), bins, found.size() * sizeof(Complex));
  ASSERT_EQ(fft.enqueue_inverse(queue, bins, samples), Status::ok);
  queue.copy(back.data(), samples, back.size() * sizeof(float));
  const Status of_odd = fft.enqueue_forward(queue, samples + 1, bins);
  queue.synchronize();
  runtime.release(samples);
  runtime.release(bins);
  EXPECT_EQ(found, direct);
  EXPECT_GT(accuracy_db(back, x), kLeastDecibels);
  EXPECT_EQ(of_odd, fft.device() == Device::cpu() ? Status::ok : Status::wrong_shape);
}

INSTANTIATE_TEST_SUITE_P(Devices, FftOn, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(Fft, RefusesAShapeThatCannotBe) {
  const Device cpu = Device::cpu();
  EXPECT_THAT([&] { Fft(cpu, {.size = 0}); }, ThrowsMessage<InvalidArgument>(HasSubstr("of 0 points")));
  EXPECT_THROW(Fft(cpu, {.size = -4}), InvalidArgument);
  EXPECT_THROW(Fft(cpu, {.size = 1 << 27}), InvalidArgument);
  EXPECT_THROW(Fft(cpu, {.size = 64, .batch = 0}), InvalidArgument);
  EXPECT_THROW(Fft(cpu, {.size = 1 << 20, .batch = 1 << 20}), InvalidArgument);
  EXPECT_THROW(Fft(cpu, {.size = 64, .time = {.stride = 0}}), InvalidArgument);
  EXPECT_THROW(Fft(cpu, {.size = 64, .bins = {.stride = 1, .distance = -1}}), InvalidArgument);
}

TEST(Fft, ManyThreadsMayPrepareAndRunTheirOwn) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 1);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&wrong, t] {
      int bad = 0;
      for (int i = 0; i < 10; ++i) {
        Fft fft(Device::cpu(), {.size = 32 + 32 * (i % 3)});
        const std::vector<float> x = noise(fft.sample_extent(), 9);
        std::vector<Complex> bins(fft.bin_extent());
        std::vector<float> back(x.size());
        bad += fft.forward(x, bins) == Status::ok && fft.inverse(bins, back) == Status::ok ? 0 : 1;
        bad += accuracy_db(back, x) > kLeastDecibels ? 0 : 1;
      }
      wrong[t] = bad;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, testing::Each(0));
}

TEST(Fft, KnowsTheNextFastLength) {
  EXPECT_EQ(fast_fft_size(-3), 1);
  EXPECT_EQ(fast_fft_size(11), 12);
  EXPECT_EQ(fast_fft_size(1021), 1024);
  EXPECT_EQ(fast_fft_size(4097), 4116);
}

}  // namespace
}  // namespace ringwave::dsp
