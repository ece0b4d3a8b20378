// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/dynamics_subjects.hpp"

#include <algorithm>
#include <cmath>

#include "ringwave/dsp/compressor.hpp"
#include "ringwave/dsp/gate.hpp"
#include "ringwave/dsp/limiter.hpp"
#include "ringwave/dsp/limiter_twins.hpp"
#include "ringwave/dsp/soft_clip.hpp"

namespace ringwave::parity {
namespace {

constexpr double kRate = 48000;

template <class Op>
Subject subject(const std::string& name, const typename Op::Settings& settings,
                std::vector<double> (*oracle)(const typename Op::Settings&, std::span<const float>)) {
  return {name,
          [settings](Device device, Shape shape) {
            typename Op::Spec spec;
            spec.channels = shape.channels;
            spec.max_block_frames = shape.max_block_frames;
            if constexpr (requires { spec.sample_rate_hz; }) spec.sample_rate_hz = kRate;
            spec.settings = settings;
            return instance_of(Op(device, spec));
          },
          [settings, oracle](std::span<const float> in) { return oracle(settings, in); }};
}

/// In decibels throughout.
std::vector<double> compressed(const dsp::Compressor::Settings& s, std::span<const float> in) {
  const auto share = [](double ms) { return 1 - std::exp(-1 / (ms / 1000 * kRate)); };
  double reduction = 0;
  std::vector<double> out;
  for (const float sample : in) {
    const auto x = static_cast<double>(sample);
    const double over = x == 0 ? -1000 : 20 * std::log10(std::abs(x)) - s.threshold_db;
    double wanted = 0;
    if (over > -s.knee_db / 2)
      wanted = (1 - 1 / s.ratio) *
               (over < s.knee_db / 2 ? std::pow(over + s.knee_db / 2, 2) / (2 * s.knee_db) : over);
    reduction += share(wanted > reduction ? s.attack_ms : s.release_ms) * (wanted - reduction);
    out.push_back(std::pow(10, (s.makeup_db - reduction) / 20) * x);
  }
  return out;
}

std::vector<double> gated(const dsp::Gate::Settings& s, std::span<const float> in) {
  const auto frames = [](double ms) { return std::round(ms / 1000 * kRate); };
  const auto linear = [](double db) { return std::pow(10, db / 20); };
  double place = 0;
  double held = -1;
  std::vector<double> out;
  for (const float sample : in) {
    const double threshold = linear(held >= 0 ? s.close_db : s.open_db);
    held = std::abs(sample) >= static_cast<float>(threshold) ? frames(s.hold_ms) : held - 1;
    place += held >= 0 ? 1 / frames(s.attack_ms) : -1 / frames(s.release_ms);
    place = std::clamp(place, 0.0, 1.0);
    out.push_back((linear(s.floor_db) + (1 - linear(s.floor_db)) * place) * static_cast<double>(sample));
  }
  return out;
}

std::vector<double> clipped(const dsp::SoftClip::Settings& s, std::span<const float> in) {
  const double ceiling = std::pow(10, s.ceiling_db / 20);
  const double knee = s.knee * ceiling;
  std::vector<double> out;
  for (const float sample : in) {
    const double d = std::pow(10, s.drive_db / 20) * static_cast<double>(sample);
    const double bent = knee + (ceiling - knee) * std::tanh((std::abs(d) - knee) / (ceiling - knee));
    out.push_back(std::abs(d) <= knee ? d : std::copysign(bent, d));
  }
  return out;
}

/// The top of the parabola through three points where the middle one is the highest, else the middle one plus
/// an eighth of its lead.
double crest(double a, double b, double c) {
  if (b < 0) return crest(-a, -b, -c);
  const double p = std::max(b - a, 0.0);
  const double q = std::max(b - c, 0.0);
  return p + q > 0 ? b + (p - q) * (p - q) / (8 * (p + q)) : b;
}

/// Each step over the whole signal, window by window.
std::vector<double> limited(const dsp::Limiter::Settings& s, std::span<const float> in) {
  const auto constants = dsp::constants_of({.sample_rate_hz = kRate, .settings = s});  // for its taps
  const int lookahead = constants.lookahead;
  constexpr int kReach = 16;
  const auto frames = static_cast<int>(in.size());
  const auto x = [in, frames](int n) {
    return n < 0 || n >= frames ? 0.0 : static_cast<double>(in[static_cast<std::size_t>(n)]);
  };
  const auto between = [&](int n, int phase) {  // after x(n), which is kReach frames old
    double sum = 0;
    for (int i = 0; i < 2 * kReach; ++i)
      sum += static_cast<double>(constants.taps[phase][i]) * x(n + kReach - i);
    return sum;
  };
  std::vector<double> wanted, held, out;
  double before = 0;
  for (int n = -kReach; n < frames - kReach; ++n) {
    const double u[3] = {between(n, 0), between(n, 1), between(n, 2)};
    const double peak = std::max({crest(before, x(n), u[0]), crest(x(n), u[0], u[1]), crest(u[0], u[1], u[2]),
                                  crest(u[1], u[2], x(n + 1))});
    before = u[2];
    wanted.push_back(std::max(0.0, 1 - static_cast<double>(constants.ceiling) / std::max(peak, 1e-30)));
  }
  double reduction = 0;
  for (int n = 0; n < frames; ++n) {
    const auto end = wanted.begin() + n + 1;
    const double most = *std::max_element(end - std::min(n + 1, lookahead + 1), end);
    reduction = most > reduction
                    ? most
                    : reduction + (1 - std::exp(-1000 / (s.release_ms * kRate))) * (most - reduction);
    held.push_back(reduction);
    double sum = 0;
    for (int i = std::max(0, n - lookahead + 1); i <= n; ++i) sum += held[static_cast<std::size_t>(i)];
    out.push_back((1 - sum / lookahead) * x(n - (lookahead - 1 + kReach)));
  }
  return out;
}

}  // namespace

std::vector<Subject> dynamics_subjects() {
  return {
      subject<dsp::Compressor>("compressor", {.threshold_db = -20, .makeup_db = 3}, compressed),
      subject<dsp::Compressor>(
          "compressor_hard",
          {.threshold_db = -30, .ratio = 100, .knee_db = 0, .attack_ms = 0.1, .release_ms = 10}, compressed),
      subject<dsp::Gate>(
          "gate", {.open_db = -7, .close_db = -12, .attack_ms = 0.5, .hold_ms = 0.1, .release_ms = 3}, gated),
      subject<dsp::SoftClip>("soft_clip", {.drive_db = 8, .ceiling_db = -1, .knee = 0.4}, clipped),
      subject<dsp::Limiter>("limiter", {.ceiling_db = -9, .release_ms = 20}, limited),
  };
}

}  // namespace ringwave::parity
