// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/reverb.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/filter_design.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kRate = 48000;

class ReverbOn : public testing::TestWithParam<Device> {
 protected:
  /// What two channels with an impulse each leave behind, in seconds of 48000 frames; the room alone.
  static std::vector<float> impulse_response(Reverb::Settings settings, int seconds, double room = 1) {
    settings.mix = 1;
    const int frames = seconds * kRate;
    Reverb reverb(GetParam(), {.channels = 2, .room = room, .settings = settings});
    std::vector<float> signal(static_cast<std::size_t>(2 * frames));
    signal[0] = signal[static_cast<std::size_t>(frames)] = 1;
    const BlockView<float> both(signal.data(), 2, frames);
    for (int done = 0; done < frames; done += 4096) {
      const auto block = both.slice(done, std::min(4096, frames - done));
      EXPECT_EQ(reverb.process(block, block), Status::ok);
    }
    return signal;
  }

  /// Energy of a tenth of a second, in dB.
  static double level_db(std::span<const float> response, double second) {
    double energy = 1e-30;
    for (const float sample : response.subspan(static_cast<std::size_t>(second * kRate), kRate / 10))
      energy += static_cast<double>(sample) * static_cast<double>(sample);
    return 10 * std::log10(energy);
  }
};

TEST_P(ReverbOn, IsSixtyDecibelsSofterAfterItsDecay) {
  for (const double room : {0.3, 1.0}) {
    for (const double decay : {0.8, 2.0}) {
      const auto response = impulse_response({.decay_s = decay, .damp = 0}, 3, room);
      const double fallen = level_db(response, 0.3) - level_db(response, 0.3 + decay / 2);
      EXPECT_NEAR(fallen, 30, 1.5) << decay << " s in a room of " << room;
    }
  }
}

TEST_P(ReverbOn, TheHighsGoFirst) {
  auto response = impulse_response({.decay_s = 2, .damp = 0.6}, 2);
  const auto low = response;
  const Section treble = highpass(6000, 0.7, kRate);
  Biquad filter(Device::cpu(), {1, 2 * kRate}, {&treble, 1});
  const BlockView<float> first(response.data(), 1, 2 * kRate);
  ASSERT_EQ(filter.process(first, first), Status::ok);
  const double highs = level_db(response, 0.1) - level_db(response, 0.6);
  const double all = level_db(low, 0.1) - level_db(low, 0.6);
  EXPECT_GT(highs, 2 * all);
}

TEST_P(ReverbOn, IsDense) {
  // After a third of a second no stretch of 10 ms is empty.
  const auto response = impulse_response({.damp = 0}, 1);
  for (std::size_t n = kRate / 3; n + 480 < kRate; n += 480)
    EXPECT_GT(std::ranges::count_if(std::span(response).subspan(n, 480),
                                    [](float sample) { return std::abs(sample) > 1e-5F; }),
              100)
        << n;
}

TEST_P(ReverbOn, AWidthMakesChannelsDiffer) {
  const auto correlation = [](const std::vector<float>& both) {
    const std::size_t frames = both.size() / 2;
    double cross = 0, left = 0, right = 0;
    for (std::size_t n = 0; n < frames; ++n) {
      const auto a = static_cast<double>(both[n]);
      const auto b = static_cast<double>(both[frames + n]);
      cross += a * b;
      left += a * a;
      right += b * b;
    }
    return cross / std::sqrt(left * right);
  };
  EXPECT_NEAR(correlation(impulse_response({.width = 0}, 2)), 1, 1e-6);
  EXPECT_LT(std::abs(correlation(impulse_response({.width = 1}, 2))), 0.3);
}

TEST_P(ReverbOn, StaysWithinBoundsForTheLongestDecay) {
  const auto response = impulse_response({.decay_s = 60, .damp = 0}, 4);
  for (const float sample : response) ASSERT_LE(std::abs(sample), 1.0F);
  EXPECT_NEAR(level_db(response, 1) - level_db(response, 3.5), 2.5, 1.0);
}

TEST_P(ReverbOn, OtherSettingsDoNotClick) {
  Reverb reverb(GetParam(), {.settings = {.mix = 0}});
  std::vector<float> signal;
  for (int n = 0; n < kRate; ++n)
    signal.push_back(0.5F * static_cast<float>(std::sin(2 * std::numbers::pi * 52.5 * n / kRate)));
  const BlockView<float> all(signal);
  for (int done = 0; done < kRate; done += 480) {
    if (done == 4800) {  // where the sine is at its peak
      ASSERT_TRUE(reverb.set({.mix = 1}));
    }
    ASSERT_EQ(reverb.process(all.slice(done, 480), all.slice(done, 480)), Status::ok);
  }
  for (std::size_t n = 5000; n < 6000; ++n) ASSERT_LT(std::abs(signal[n] - signal[n - 1]), 0.01F) << n;
}

TEST_P(ReverbOn, TakesANaNAsSilenceAndRecovers) {
  Reverb reverb(GetParam(), {});
  std::vector<float> signal(4096, 0.25F);
  signal[10] = std::numeric_limits<float>::quiet_NaN();
  signal[11] = std::numeric_limits<float>::infinity();
  ASSERT_EQ(reverb.process(BlockView<float>(signal), BlockView<float>(signal)), Status::ok);
  EXPECT_EQ(reverb.nonfinite_samples(), 2U);
  EXPECT_TRUE(std::ranges::all_of(signal, [](float sample) { return std::isfinite(sample); }));
}

INSTANTIATE_TEST_SUITE_P(Devices, ReverbOn, testing::ValuesIn(Device::all()), [](const auto& test) {
  std::string name = test.param.name();
  std::ranges::replace(name, ':', '_');
  return name;
});

TEST(Reverb, RefusesASpecThatCannotWork) {
  EXPECT_THAT([] { Reverb(Device::cpu(), {.settings = {.decay_s = 0}}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("decay of 0")));
  EXPECT_THROW(Reverb(Device::cpu(), {.room = 5}), InvalidArgument);
  EXPECT_THROW(Reverb(Device::cpu(), {.settings = {.damp = 1}}), InvalidArgument);
  Reverb reverb(Device::cpu(), {});
  EXPECT_FALSE(reverb.set({.width = std::numeric_limits<double>::quiet_NaN()}));
}

}  // namespace
}  // namespace ringwave::dsp
