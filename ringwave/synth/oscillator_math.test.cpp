// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/oscillator_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <vector>

#include "ringwave/dsp/fft.hpp"

namespace ringwave::synth {
namespace {

constexpr int kSize = 1 << 16;
constexpr double kRateHz = 48000;

/// The wave whose turns fit `turns` times, exactly, into kSize samples: its harmonics are the multiples of
/// that bin, and everything else is an alias.
std::vector<double> spectrum(std::uint32_t turns, const std::function<float(Phase, Phase)>& wave) {
  const Phase step = turns * (0x1'0000'0000U / kSize);
  std::vector<float> samples(kSize);
  Phase phase = 0x0123'4000U;
  for (float& sample : samples) {
    sample = wave(phase, step);
    phase += step;
  }
  dsp::Fft fft(Device::cpu(), {.size = kSize});
  std::vector<dsp::Complex> bins(kSize / 2 + 1);
  EXPECT_EQ(fft.forward(samples, bins), Status::ok);
  std::vector<double> amplitudes;
  for (const dsp::Complex& bin : bins) amplitudes.push_back(2.0 / kSize * static_cast<double>(std::abs(bin)));
  return amplitudes;
}

double hz_of(std::uint32_t turns) {
  return turns * kRateHz / kSize;
}

/// The strongest alias up to a frequency, in dB below the fundamental.
double strongest_alias_db(const std::vector<double>& amplitudes, std::uint32_t turns, double highest_hz) {
  double most = 1e-12;
  for (std::size_t bin = 0;
       bin < amplitudes.size() && static_cast<double>(bin) * kRateHz / kSize < highest_hz; ++bin)
    if (bin % turns != 0) most = std::max(most, amplitudes[bin]);
  return 20 * std::log10(most / amplitudes[turns]);
}

TEST(Oscillator, ASawHasItsHarmonics) {
  constexpr std::uint32_t kTurns = 301;  // 220 Hz
  const auto found = spectrum(kTurns, saw);
  EXPECT_NEAR(found[0], 0, 1e-5) << "a constant part";
  for (std::uint32_t n = 1; n * hz_of(kTurns) < 15000; ++n) {
    // A B-spline of the third degree falls off as the fourth power of a sinc.
    const double x = std::numbers::pi * n * kTurns / kSize;
    EXPECT_NEAR(found[n * kTurns] / (2 / std::numbers::pi / n * std::pow(std::sin(x) / x, 4)), 1, 2e-3) << n;
  }
}

TEST(Oscillator, APulseHasTheHarmonicsOfItsWidth) {
  constexpr std::uint32_t kTurns = 301;
  for (const double width : {0.5, 0.25, 0.1}) {
    const auto found = spectrum(kTurns, [width](Phase phase, Phase step) {
      return pulse(phase, step, static_cast<Phase>(width * 0x1p32));
    });
    EXPECT_NEAR(found[0], 0, 2e-5) << "a constant part";
    for (std::uint32_t n = 1; n < 20; ++n) {
      const double x = std::numbers::pi * n * kTurns / kSize;
      const double truth = 4 / std::numbers::pi / n * std::abs(std::sin(std::numbers::pi * n * width));
      EXPECT_NEAR(found[n * kTurns], truth * std::pow(std::sin(x) / x, 4), 1e-3) << n << " of " << width;
    }
  }
}

TEST(Oscillator, ATriangleHasItsHarmonics) {
  constexpr std::uint32_t kTurns = 301;
  const auto found = spectrum(kTurns, triangle);
  EXPECT_NEAR(found[0], 0, 1e-5);
  for (std::uint32_t n = 1; n < 20; ++n) {
    const double x = std::numbers::pi * n * kTurns / kSize;
    const double truth = n % 2 == 1 ? 8 / std::numbers::pi / std::numbers::pi / n / n : 0;
    EXPECT_NEAR(found[n * kTurns], truth * std::pow(std::sin(x) / x, 4), 1e-4) << n;
  }
}

TEST(Oscillator, AliasesStayBelowWhatIsHeardBesideTheNote) {
  const auto half = [](Phase phase, Phase step) { return pulse(phase, step, 0x8000'0000U); };
  // Up to the highest note of a piano. Above 10 kHz the note's own harmonics are louder than what aliases
  // there.
  for (const std::uint32_t turns : {151U, 601U, 1427U, 2857U, 5717U}) {
    const double hz = hz_of(turns);
    const double most_db = hz < 1100 ? -80 : -60;
    EXPECT_LT(strongest_alias_db(spectrum(turns, saw), turns, 10000), most_db) << hz << " Hz, saw";
    EXPECT_LT(strongest_alias_db(spectrum(turns, half), turns, 10000), most_db) << hz << " Hz, pulse";
    EXPECT_LT(strongest_alias_db(spectrum(turns, triangle), turns, 10000), most_db) << hz << " Hz, triangle";
  }
}

TEST(Oscillator, ANaiveSawWouldFailThat) {
  constexpr std::uint32_t kTurns = 601;
  const auto naive =
      spectrum(kTurns, [](Phase phase, Phase) { return static_cast<float>(phase) * 0x1p-31F - 1; });
  EXPECT_GT(strongest_alias_db(naive, kTurns, 10000), -60);
}

TEST(Oscillator, StaysNearItsRangeAtEveryPitch) {
  for (const double hz : {0.01, 27.5, 440.0, 4186.0, 12000.0}) {
    const auto step = static_cast<Phase>(hz / kRateHz * 0x1p32);
    Phase phase = 0;
    for (int n = 0; n < 20000; ++n) {
      EXPECT_LE(std::abs(saw(phase, step)), 1.001F);
      EXPECT_LE(std::abs(triangle(phase, step)), 1.001F);
      EXPECT_LE(std::abs(pulse(phase, step, 0x2000'0000U)), 2.0F);
      phase += step;
    }
  }
}

}  // namespace
}  // namespace ringwave::synth
