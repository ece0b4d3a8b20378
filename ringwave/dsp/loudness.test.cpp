// SPDX-License-Identifier: Apache-2.0
// The signals of EBU Tech 3341 (numbered as there) and 3342 that are defined by words, made from them.
#include "ringwave/dsp/loudness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double kSilenceDb = -1000;

/// Some seconds of a 1 kHz sine, whose peak has a level in every channel.
struct Tone {
  double seconds;
  std::vector<double> peaks_dbfs;
};

Tone stereo(double seconds, double peak_dbfs) {
  return {seconds, {peak_dbfs, peak_dbfs}};
}

/// A meter that is fed in blocks of an odd size, and can be looked at in between.
class Fed {
 public:
  explicit Fed(int channels = 2, int sample_rate_hz = 48000)
      : loudness_({channels, sample_rate_hz}), rate_(sample_rate_hz) {}

  Loudness& play(const Tone& tone) {
    const auto total = static_cast<int>(std::lround(tone.seconds * rate_));
    const auto channels = static_cast<int>(tone.peaks_dbfs.size());
    for (int begin = 0; begin < total; begin += kBlock) {
      const int frames = std::min(kBlock, total - begin);
      std::vector<float> block;
      for (const double peak_dbfs : tone.peaks_dbfs)
        for (int n = 0; n < frames; ++n) block.push_back(sample(played_ + n, std::pow(10, peak_dbfs / 20)));
      loudness_.add({block.data(), channels, frames});
      played_ += frames;
    }
    return loudness_;
  }

  Loudness& play(const std::vector<Tone>& tones) {
    for (const Tone& tone : tones) play(tone);
    return loudness_;
  }

 private:
  static constexpr int kBlock = 1001;
  [[nodiscard]] float sample(std::int64_t n, double peak) const {
    return static_cast<float>(peak * std::sin(2 * std::numbers::pi * 1000 * static_cast<double>(n) / rate_));
  }

  Loudness loudness_;
  int rate_;
  std::int64_t played_ = 0;
};

TEST(LoudnessOfTech3341, Case1And2ATone) {
  for (const double level : {-23.0, -33.0})
    for (const int rate : {44100, 48000, 96000, 192000}) {
      Fed fed(2, rate);
      const Loudness& loudness = fed.play(stereo(20, level));
      EXPECT_NEAR(loudness.integrated_lufs(), level, 0.1) << rate;
      EXPECT_NEAR(loudness.momentary_lufs(), level, 0.1) << rate;
      EXPECT_NEAR(loudness.short_term_lufs(), level, 0.1) << rate;
      EXPECT_NEAR(loudness.max_momentary_lufs(), level, 0.1) << rate;
      EXPECT_NEAR(loudness.max_short_term_lufs(), level, 0.1) << rate;
    }
}

TEST(LoudnessOfTech3341, Case3TheRelativeGate) {
  Fed fed;
  EXPECT_NEAR(fed.play({stereo(10, -36), stereo(60, -23), stereo(10, -36)}).integrated_lufs(), -23, 0.1);
}

TEST(LoudnessOfTech3341, Case4BothGates) {
  Fed fed;
  const Loudness& loudness =
      fed.play({stereo(10, -72), stereo(10, -36), stereo(60, -23), stereo(10, -36), stereo(10, -72)});
  EXPECT_NEAR(loudness.integrated_lufs(), -23, 0.1);
}

TEST(LoudnessOfTech3341, Case5NoGateWhereThereShouldBeNone) {
  Fed fed;
  EXPECT_NEAR(fed.play({stereo(20, -26), stereo(20.1, -20), stereo(20, -26)}).integrated_lufs(), -23, 0.1);
}

TEST(LoudnessOfTech3341, Case6FiveChannels) {
  Fed fed(5);
  EXPECT_NEAR(fed.play(Tone{20, {-28, -28, -24, -30, -30}}).integrated_lufs(), -23, 0.1);
}

TEST(LoudnessOfTech3341, Case6WithAnLfeThatDoesNotCount) {
  Fed fed(6);
  EXPECT_NEAR(fed.play(Tone{20, {-28, -28, -24, 0, -30, -30}}).integrated_lufs(), -23, 0.1);
}

TEST(LoudnessOfTech3341, Case9ShortTermIsSteady) {
  Fed fed;
  for (int i = 0; i < 5; ++i) {
    fed.play(stereo(1.34, -20));
    for (int part = 0; part < 4; ++part) {
      const Loudness& loudness = fed.play(stereo(0.415, -30));
      if (i == 0) continue;  // steady after 3 s
      EXPECT_NEAR(loudness.short_term_lufs(), -23, 0.1) << i << " " << part;
    }
  }
}

TEST(LoudnessOfTech3341, Case10ShortTermFindsItsMaximumWhereverItIs) {
  for (int i = 0; i < 20; ++i) {
    Fed fed;
    const Loudness& loudness =
        fed.play({stereo(0.15 * i, kSilenceDb), stereo(3, -23), stereo(1, kSilenceDb)});
    EXPECT_NEAR(loudness.max_short_term_lufs(), -23, 0.1) << i;
  }
}

TEST(LoudnessOfTech3341, Case11ShortTermFollowsRisingTones) {
  Fed fed;
  for (int i = 0; i < 20; ++i) {
    const Loudness& loudness =
        fed.play({stereo(0.15 * i, kSilenceDb), stereo(3, -38 + i), stereo(3 - 0.15 * i, kSilenceDb)});
    EXPECT_NEAR(loudness.max_short_term_lufs(), -38 + i, 0.1) << i;
  }
}

TEST(LoudnessOfTech3341, Case12MomentaryIsSteady) {
  Fed fed;
  for (int i = 0; i < 25; ++i) {
    const double after_loud = fed.play(stereo(0.18, -20)).momentary_lufs();
    const double after_soft = fed.play(stereo(0.22, -30)).momentary_lufs();
    if (i < 3) continue;  // steady after 1 s
    EXPECT_NEAR(after_loud, -23, 0.1) << i;
    EXPECT_NEAR(after_soft, -23, 0.1) << i;
  }
}

TEST(LoudnessOfTech3341, Case13MomentaryFindsItsMaximumWhereverItIs) {
  for (int i = 0; i < 20; ++i) {
    Fed fed;
    const Loudness& loudness =
        fed.play({stereo(0.02 * i, kSilenceDb), stereo(0.4, -23), stereo(1, kSilenceDb)});
    EXPECT_NEAR(loudness.max_momentary_lufs(), -23, 0.1) << i;
  }
}

TEST(LoudnessOfTech3341, Case14MomentaryFollowsRisingTones) {
  Fed fed;
  for (int i = 0; i < 20; ++i) {
    const Loudness& loudness =
        fed.play({stereo(0.02 * i, kSilenceDb), stereo(0.4, -38 + i), stereo(0.4 - 0.02 * i, kSilenceDb)});
    EXPECT_NEAR(loudness.max_momentary_lufs(), -38 + i, 0.1) << i;
  }
}

struct PeakCase {
  int number;
  int period;  // in samples
  double phase_degrees;
  double amplitude;
  double dbtp;
};

TEST(LoudnessOfTech3341, Cases15To19TruePeakBetweenTheSamples) {
  for (const PeakCase& peak :
       {PeakCase{15, 4, 0, 0.5, -6}, PeakCase{16, 4, 45, 0.5, -6}, PeakCase{17, 6, 60, 0.5, -6},
        PeakCase{18, 8, 67.5, 0.5, -6}, PeakCase{19, 4, 45, 1.41, 3}}) {
    Loudness loudness({.channels = 1, .sample_rate_hz = 48000});
    std::vector<float> samples(48000);
    for (std::size_t n = 0; n < samples.size(); ++n) {
      // A slow rise and fall, so that no edge rings higher than the sine.
      const double fade =
          std::min(1.0, std::min<double>(static_cast<double>(n), 47999.0 - static_cast<double>(n)) / 4800);
      const double angle =
          2 * std::numbers::pi * (static_cast<double>(n) / peak.period + peak.phase_degrees / 360);
      samples[n] = static_cast<float>(fade * peak.amplitude * std::sin(angle));
    }
    loudness.add(std::span<const float>(samples));
    EXPECT_LE(loudness.true_peak_dbtp(), peak.dbtp + 0.2) << peak.number;
    EXPECT_GE(loudness.true_peak_dbtp(), peak.dbtp - 0.4) << peak.number;
    EXPECT_LE(loudness.sample_peak_dbfs(), loudness.true_peak_dbtp()) << peak.number;
  }
}

TEST(LoudnessOfTech3342, Cases1To4Range) {
  const auto range = [](const std::vector<double>& levels) {
    Fed fed;
    for (const double level : levels) fed.play(stereo(20, level));
    return fed.play(stereo(0, 0)).range_lu();
  };
  EXPECT_NEAR(range({-20, -30}), 10, 1);
  EXPECT_NEAR(range({-20, -15}), 5, 1);
  EXPECT_NEAR(range({-40, -20}), 20, 1);
  EXPECT_NEAR(range({-50, -35, -20, -35, -50}), 15, 1);
}

TEST(Loudness, SilenceHasNone) {
  Fed fed;
  const Loudness& loudness = fed.play(stereo(5, kSilenceDb));
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(loudness.integrated_lufs(), kNone);
  EXPECT_EQ(Loudness({}).max_momentary_lufs(), kNone);
  EXPECT_EQ(Loudness({}).true_peak_dbtp(), kNone);
  EXPECT_EQ(Loudness({}).range_lu(), 0);
  EXPECT_EQ(Loudness({}).frames(), 0);
}

TEST(Loudness, ANaNIsSilenceAndCounted) {
  Fed fed;
  Loudness& loudness = fed.play(stereo(10, -23));
  const std::vector<float> broken{std::numeric_limits<float>::quiet_NaN(),
                                  std::numeric_limits<float>::infinity()};
  loudness.add({broken.data(), 2, 1});
  fed.play(stereo(10, -23));
  EXPECT_NEAR(loudness.integrated_lufs(), -23, 0.1);
  EXPECT_EQ(loudness.nonfinite_samples(), 2);
  EXPECT_EQ(loudness.frames(), 960001);
}

TEST(Loudness, AnAnswerInBetweenChangesNothing) {
  Fed asked;
  Fed left_alone;
  for (int i = 0; i < 100; ++i) {
    (void)asked.play(stereo(0.0501, -20)).integrated_lufs();
    left_alone.play(stereo(0.0501, -20));
  }
  Loudness& a = asked.play(stereo(0, 0));
  Loudness& b = left_alone.play(stereo(0, 0));
  EXPECT_EQ(a.integrated_lufs(), b.integrated_lufs());
  EXPECT_EQ(a.max_momentary_lufs(), b.max_momentary_lufs());
}

TEST(Loudness, RefusesWhatItCannotMeasure) {
  EXPECT_THAT([] { Loudness({.channels = 0}); }, ThrowsMessage<InvalidArgument>(HasSubstr("0 channels")));
  EXPECT_THROW(Loudness({.channels = 65}), InvalidArgument);
  EXPECT_THROW(Loudness({.sample_rate_hz = 0}), InvalidArgument);
  EXPECT_THROW(Loudness({.sample_rate_hz = 10'000'000}), InvalidArgument);
  Loudness loudness({});
  const std::vector<float> mono(10);
  EXPECT_THROW(loudness.add(std::span(mono)), InvalidArgument);
}

}  // namespace
}  // namespace ringwave::dsp
