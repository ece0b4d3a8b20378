// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ringwave/dsp/quarter_taps.hpp"
#include "ringwave/synth/station_math.hpp"

namespace ringwave::synth {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kGlideSeconds = 0.03;
constexpr double kReleaseSeconds = 0.15;
constexpr double kChorusSeconds = 0.012;
constexpr double kMostDepthSeconds = 0.005;
constexpr double kLineRateHz = 48000;  // at which the room's lines have the lengths below
constexpr int kLineFrames[SpaceRule::kLines] = {1051, 1193, 1361, 1543, 1753, 1973, 2203, 2447};
constexpr double kMarginDb = 0.3;  // what four points a sample can miss of a peak below 15 kHz

float to_gain(double db) {
  return static_cast<float>(std::pow(10, db / 20));
}

/// Share of the way that is gone in a chunk, for a time in which all but 1/e of it is.
float share(double seconds, double sample_rate_hz) {
  return static_cast<float>(-std::expm1(-kChunkFrames / (seconds * sample_rate_hz)));
}

float trapezoid(double hz, double sample_rate_hz) {
  const double g = std::tan(kPi * std::min(hz / sample_rate_hz, 0.45));
  return static_cast<float>(g / (1 + g));
}

SpaceRule::Rates space_rates(double sample_rate_hz) {
  SpaceRule::Rates made;
  made.glide = share(kGlideSeconds, sample_rate_hz);
  made.chorus_frames = static_cast<float>(kChorusSeconds * sample_rate_hz);
  made.layout.chorus_size =
      static_cast<int>((kChorusSeconds + kMostDepthSeconds) * sample_rate_hz) + kChunkFrames + 4;
  made.layout.delay_size = static_cast<int>(StationEffects::kMostDelay * sample_rate_hz) + kChunkFrames + 4;
  for (int i = 0; i < SpaceRule::kLines; ++i)
    made.layout.line_sizes[i] =
        static_cast<int>(std::lround(kLineFrames[i] * sample_rate_hz / kLineRateHz)) + 2;
  return made;
}

CeilingRule::Rates ceiling_rates(double sample_rate_hz) {
  CeilingRule::Rates made;
  made.release = share(kReleaseSeconds, sample_rate_hz);
  dsp::set_quarter_taps(made.taps);
  return made;
}

/// The two filters of ITU-R BS.1770, from their analogue form, for any sample rate.
LoudnessRule::Rates loudness_rates(double sample_rate_hz) {
  LoudnessRule::Rates made;
  constexpr double kShelfQ = 0.7071752369554196;
  constexpr double kHighPassQ = 0.5003270373238773;
  const double high = std::pow(10, 3.999843853973347 / 20);
  const double shelf_g = std::tan(kPi * 1681.974450955533 / sample_rate_hz);
  const double high_pass_g = std::tan(kPi * 38.13547087602444 / sample_rate_hz);
  made.shelf = {static_cast<float>(shelf_g), static_cast<float>(1 / kShelfQ)};
  made.high_pass = {static_cast<float>(high_pass_g), static_cast<float>(1 / kHighPassQ)};
  made.shelf_high = static_cast<float>(high);
  made.shelf_band = static_cast<float>(std::pow(high, 0.4996667741545416) / kShelfQ);
  // The standard's numerator is 1, -2, 1 and not divided by the denominator's first coefficient.
  made.high_pass_gain = static_cast<float>(1 + high_pass_g / kHighPassQ + high_pass_g * high_pass_g);
  const double hop_s = LoudnessRule::kHopFrames / sample_rate_hz;
  made.guess_hops = static_cast<float>(LoudnessRule::kGuessSeconds / hop_s);
  made.memory_hops = static_cast<float>(LoudnessRule::kMemorySeconds / hop_s);
  return made;
}

}  // namespace

StationRule::Rates::Rates(double sample_rate_hz)
    : tone{trapezoid(ToneRule::kBassHz, sample_rate_hz), trapezoid(ToneRule::kTrebleHz, sample_rate_hz),
           share(kGlideSeconds, sample_rate_hz)},
      space(space_rates(sample_rate_hz)),
      ceiling(ceiling_rates(sample_rate_hz)),
      loudness(loudness_rates(sample_rate_hz)),
      glide(share(kGlideSeconds, sample_rate_hz)) {}

StationRule::Constants::Constants(const StationEffects& effects, const Rates& rates,
                                  double sample_rate_hz) noexcept
    : tone{to_gain(effects.tone.bass_db), to_gain(effects.tone.treble_db)},
      ceiling{to_gain(effects.ceiling_dbtp - kMarginDb)},
      gain(to_gain(effects.gain_db)) {
  space.chorus = static_cast<float>(effects.chorus.level / std::sqrt(double{SpaceRule::kChorusReaders}));
  space.depth_frames = static_cast<float>(effects.chorus.depth_ms / 1000 * sample_rate_hz);
  space.turn = static_cast<std::uint32_t>(effects.chorus.hz / sample_rate_hz * 0x1p32);
  space.delay = static_cast<float>(effects.delay.level);
  space.feedback = static_cast<float>(effects.delay.feedback);
  const auto frames = static_cast<int>(std::lround(effects.delay.seconds * sample_rate_hz));
  space.delay_frames = std::max(frames, kChunkFrames + 2);
  space.right_frames = std::max(frames * 2 / 3, kChunkFrames + 2);
  double squares = 0;
  for (int i = 0; i < SpaceRule::kLines; ++i) {
    const int length = rates.space.layout.line_sizes[i] - 2;
    space.gains[i] = static_cast<float>(std::pow(10, -3 * length / (effects.room.decay_s * sample_rate_hz)));
    squares += static_cast<double>(space.gains[i]) * static_cast<double>(space.gains[i]) / SpaceRule::kLines;
  }
  // So that at a level of 1 noise is as strong in the room as it came in.
  space.room = static_cast<float>(effects.room.level * std::sqrt((1 - squares) / SpaceRule::kLines));
  space.damp = static_cast<float>(effects.room.damp / 4);
  if (effects.loudness_lufs) {
    constexpr double kOffset = 0.691;   // of BS.1770
    constexpr double kGuessLufs = -16;  // of our presets without a gain: -13 to -21
    const auto power = [](double lufs) { return static_cast<float>(std::pow(10, (lufs + kOffset) / 10)); };
    loudness = {power(*effects.loudness_lufs), power(kGuessLufs)};
  }
}

}  // namespace ringwave::synth
