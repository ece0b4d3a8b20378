// SPDX-License-Identifier: Apache-2.0
#include "ringwave/synth/built_in_patches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/power_spectrum.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double kRateHz = 48000;
constexpr int kSize = 8192;

/// The sum of both sides of a note that is held for a time, and of what rings after it.
std::vector<float> played(const Patch& patch, float key, double held_s, double after_s) {
  const VoiceRule::Constants c(patch, kRateHz);
  VoiceRule::State state;
  VoiceRule::begin(c, state, {.key = key, .velocity = 0.8F});
  std::vector<float> made;
  const auto held = static_cast<int>(held_s * kRateHz);
  for (int n = 0; n < held + static_cast<int>(after_s * kRateHz); ++n) {
    if (n == held) VoiceRule::release(c, state);
    if (n % VoiceRule::kControlFrames == 0) VoiceRule::control(c, state);
    const VoiceRule::Frame frame = VoiceRule::step(c, state);
    made.push_back(frame.left + frame.right);
  }
  return made;
}

/// The frequency below and above which there is as much power, around a time.
double middle_hz(const std::vector<float>& sound, double at_s) {
  dsp::PowerSpectrum spectrum({}, kSize);
  const auto powers =
      spectrum.of(std::span(sound).subspan(static_cast<std::size_t>(at_s * kRateHz), kSize), {});
  double all = 0;
  for (const float power : powers) all += static_cast<double>(power);
  double sum = 0;
  std::size_t bin = 0;
  while (sum < all / 2) sum += static_cast<double>(powers[bin++]);
  return static_cast<double>(bin) * kRateHz / kSize;
}

TEST(BuiltInPatches, AreFoundByNameAndByLayer) {
  EXPECT_EQ(built_in_patches().size(), 8U);
  for (const char* name : {"pad", "lead", "bass", "pluck", "bell", "kick", "swell", "hat"})
    EXPECT_EQ(patch_of_name(name).name, name);
  for (const music::Layer layer : music::kAllLayers) EXPECT_FALSE(patch_of_layer(layer).name.empty());
  EXPECT_THAT([] { (void)patch_of_name("gong"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("'gong' is no voice; use pad, lead, bass")));
}

TEST(BuiltInPatches, AreHeardDoNotClipHaveNoConstantPartAndEnd) {
  for (const Patch& patch : built_in_patches())
    for (const float key : {36.0F, 60.0F, 84.0F}) {
      const std::vector<float> sound = played(patch, key, 3, 6);
      double most = 0;
      double sum = 0;
      for (const float sample : sound) {
        most = std::max(most, std::abs(static_cast<double>(sample)));
        sum += static_cast<double>(sample);
      }
      EXPECT_GT(most, 0.02) << patch.name << " at " << key;
      EXPECT_LT(most, 1.6) << patch.name << " at " << key;
      EXPECT_LT(std::abs(sum / static_cast<double>(sound.size())), 0.002) << patch.name << " at " << key;
      EXPECT_EQ(sound.back(), 0) << patch.name << " at " << key;
    }
}

TEST(BuiltInPatches, LieWhereTheyShould) {
  const auto lies = [](const char* name, float key, double at_s, double least_hz, double most_hz) {
    const double found = middle_hz(played(patch_of_name(name), key, 3, 0), at_s);
    EXPECT_GT(found, least_hz) << name;
    EXPECT_LT(found, most_hz) << name;
  };
  lies("pad", 60, 2, 200, 700);
  lies("lead", 72, 0.3, 450, 1200);
  lies("bass", 36, 0.3, 50, 160);
  lies("pluck", 60, 0.01, 200, 1200);
  lies("bell", 84, 0.1, 900, 3500);
  lies("kick", 36, 0.01, 30, 150);
  lies("swell", 55, 2.5, 400, 4000);
  lies("hat", 42, 0.0, 7000, 20000);
}

TEST(BuiltInPatches, AKickFallsAndABellsUpperModeDiesFirst) {
  const std::vector<float> kick = played(patch_of_name("kick"), 36, 1, 0);
  const auto crossings = [&](double from_s, double to_s) {
    int count = 0;
    for (auto n = static_cast<std::size_t>(from_s * kRateHz); n < static_cast<std::size_t>(to_s * kRateHz);
         ++n)
      count += kick[n] < 0 && kick[n + 1] >= 0 ? 1 : 0;
    return count / (to_s - from_s);
  };
  EXPECT_GT(crossings(0, 0.03), 2 * crossings(0.15, 0.3));
  const std::vector<float> bell = played(patch_of_name("bell"), 72, 3, 0);
  const auto power_above = [&](double at_s, double hz) {
    dsp::PowerSpectrum spectrum({}, kSize);
    const auto powers =
        spectrum.of(std::span(bell).subspan(static_cast<std::size_t>(at_s * kRateHz), kSize), {});
    double low = 0;
    double high = 0;
    for (std::size_t bin = 0; bin < powers.size(); ++bin)
      (static_cast<double>(bin) * kRateHz / kSize < hz ? low : high) += static_cast<double>(powers[bin]);
    return high / low;
  };
  EXPECT_GT(power_above(0.02, 1000), 10 * power_above(1.5, 1000));
}

}  // namespace
}  // namespace ringwave::synth
