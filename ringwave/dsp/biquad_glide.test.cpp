// SPDX-License-Identifier: Apache-2.0
// Sections that change while the filter plays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/filter_design.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kRate = 48000;
constexpr int kBlock = 64;
constexpr double kHz = 440;
const Section kLoudest = lowpass(kHz * 1.4142, 1, kRate);  // of the sweep, for the sine: 1.15 at most

std::vector<float> sine(int frames) {
  std::vector<float> made(static_cast<std::size_t>(frames));
  for (std::size_t n = 0; n < made.size(); ++n)
    made[n] = static_cast<float>(std::sin(2 * std::numbers::pi * kHz * static_cast<double>(n) / kRate));
  return made;
}

/// The largest second difference: a smooth signal has almost none, a step or a kink a large one.
double roughness(const std::vector<float>& signal) {
  double worst = 0;
  for (std::size_t n = 2; n < signal.size(); ++n)
    worst =
        std::fmax(worst, std::abs(static_cast<double>(signal[n]) - 2 * static_cast<double>(signal[n - 1]) +
                                  static_cast<double>(signal[n - 2])));
  return worst;
}

double largest_step(const std::vector<float>& signal) {
  double worst = 0;
  for (std::size_t n = 1; n < signal.size(); ++n)
    worst = std::fmax(worst, std::abs(static_cast<double>(signal[n]) - static_cast<double>(signal[n - 1])));
  return worst;
}

class BiquadGlideOn : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Biquad mono(const Section& section, int smooth_frames, int block = kBlock) {
    return {GetParam(), {1, block, smooth_frames}, {&section, 1}};
  }

  static void process(Biquad& filter, std::vector<float>& samples, int first, int count) {
    const BlockView<float> block(samples.data() + first, 1, count);
    ASSERT_EQ(filter.process(block, block), Status::ok);
  }

  /// A sine through a low-pass with a resonance that sweeps from 200 Hz to 6.4 kHz and back, a quarter of an
  /// octave every 8 blocks.
  static std::vector<float> swept(int smooth_frames) {
    constexpr int kSteps = 40;
    Biquad filter = mono(lowpass(200, 1, kRate), smooth_frames);
    std::vector<float> signal = sine(kSteps * 8 * kBlock);
    for (int step = 0; step < kSteps; ++step) {
      const double octaves = (step < kSteps / 2 ? step + 1 : kSteps - step) / 4.0;
      const Section next = lowpass(200 * std::exp2(octaves), 1, kRate);
      EXPECT_TRUE(filter.set_sections({&next, 1}));
      for (int block = 0; block < 8; ++block) process(filter, signal, (8 * step + block) * kBlock, kBlock);
    }
    return signal;
  }
};

TEST_P(BiquadGlideOn, NoStepIsLargerThanTheSignalsOwn) {
  const std::vector<float> in = sine(8 * kBlock);
  const double peak = std::abs(response({&kLoudest, 1}, kHz, kRate));
  const std::vector<float> smooth = swept(8 * kBlock);
  EXPECT_LT(largest_step(smooth), 1.02 * peak * largest_step(in)) << "a little for the phase that turns";
  EXPECT_LT(roughness(smooth), 1.1 * peak * roughness(in)) << "nothing to hear as a zipper";
  EXPECT_GT(roughness(swept(0)), 2 * peak * roughness(in)) << "which is what jumps of the sections make";
}

TEST_P(BiquadGlideOn, ArrivesAtTheNewFilter) {
  const Section from = peaking(1000, 2, 12, kRate);
  const Section to = highpass(500, 0.7, kRate);
  Biquad changed = mono(from, 300);
  Biquad fresh = mono(to, 300);
  std::vector<float> a = sine(kRate / kBlock * kBlock);
  std::vector<float> b = a;
  for (int done = 0; done < static_cast<int>(a.size()); done += kBlock) {
    if (done == 10 * kBlock) {
      ASSERT_TRUE(changed.set_sections({&to, 1}));
    }
    process(changed, a, done, kBlock);
    process(fresh, b, done, kBlock);
  }
  for (std::size_t n = a.size() - 1000; n < a.size(); ++n) ASSERT_NEAR(a[n], b[n], 1e-6F) << n;
}

TEST_P(BiquadGlideOn, ResetEndsAChangeAtOnce) {
  const Section to = highpass(500, 0.7, kRate);
  Biquad changed = mono(lowpass(500, 0.7, kRate), 10000);
  Biquad fresh = mono(to, 0);
  std::vector<float> a = sine(kBlock);
  std::vector<float> b = a;
  ASSERT_TRUE(changed.set_sections({&to, 1}));
  changed.reset();
  process(changed, a, 0, kBlock);
  process(fresh, b, 0, kBlock);
  for (std::size_t n = 0; n < a.size(); ++n) ASSERT_NEAR(a[n], b[n], 1e-6F) << n;
}

TEST_P(BiquadGlideOn, RefusesWhatIsNotStableOrOfAnotherNumberAndKeepsItsOwn) {
  const Section passes;
  Biquad filter = mono(passes, 0);
  const Section grows{1, 0, 0, 0, 1.1};
  const Section no_number{std::numeric_limits<double>::quiet_NaN(), 0, 0, 0, 0};
  const std::vector<Section> two(2);
  EXPECT_FALSE(filter.set_sections({&grows, 1}));
  EXPECT_FALSE(filter.set_sections({&no_number, 1}));
  EXPECT_FALSE(filter.set_sections(two));
  EXPECT_FALSE(filter.set_sections({}));
  std::vector<float> signal = sine(kBlock);
  const std::vector<float> before = signal;
  process(filter, signal, 0, kBlock);
  EXPECT_EQ(signal, before);
}

INSTANTIATE_TEST_SUITE_P(Devices, BiquadGlideOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

}  // namespace
}  // namespace ringwave::dsp
