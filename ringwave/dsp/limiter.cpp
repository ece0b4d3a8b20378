// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/limiter.hpp"

#include <cmath>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/limiter_twins.hpp"
#include "ringwave/dsp/quarter_taps.hpp"

namespace ringwave::dsp {
namespace {

using backend::is_sample_rate;
using backend::within;

bool valid(const Limiter::Settings& s) noexcept {
  return within(s.ceiling_db, -60, 0) && within(s.release_ms, 1, 10000);
}

int lookahead_frames(double ms, double sample_rate_hz) noexcept {
  return static_cast<int>(std::lround(ms * sample_rate_hz / 1000));
}

LimiterRule::Constants constants(const Limiter::Settings& s, double sample_rate_hz,
                                 double lookahead_ms) noexcept {
  LimiterRule::Constants made{static_cast<float>(std::pow(10, s.ceiling_db / 20)),
                              -std::expm1(-1000 / (s.release_ms * sample_rate_hz)),
                              lookahead_frames(lookahead_ms, sample_rate_hz)};
  set_quarter_taps(made.taps);  // by which peaks are right to 0.01 dB
  return made;
}

}  // namespace

LimiterRule::Constants constants_of(const Limiter::Request& request) noexcept {
  return constants(request.settings, request.sample_rate_hz, request.lookahead_ms);
}

Limiter::Limiter(Device device, const Spec& spec)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames),
      sample_rate_hz_(spec.sample_rate_hz),
      lookahead_ms_(spec.lookahead_ms),
      latency_frames_(0) {
  if (!valid(spec.settings) || !is_sample_rate(spec.sample_rate_hz))
    throw InvalidArgument(
        "limiter was asked for with a ceiling of " + std::to_string(spec.settings.ceiling_db) +
        " dB and a release of " + std::to_string(spec.settings.release_ms) + " ms at " +
        std::to_string(spec.sample_rate_hz) + " Hz; use -60 to 0 dB, 1 to 10000 ms and 8 to 768 kHz");
  const int lookahead = spec.lookahead_ms > 0 && spec.lookahead_ms <= 100
                            ? lookahead_frames(spec.lookahead_ms, spec.sample_rate_hz)
                            : 0;
  if (lookahead < LimiterRule::kReach)
    throw InvalidArgument("limiter was asked for with a look-ahead of " + std::to_string(spec.lookahead_ms) +
                          " ms at " + std::to_string(spec.sample_rate_hz) +
                          " Hz; use at least 16 frames and at most 100 ms");
  latency_frames_ = constants_of(spec).latency();
  prepare<Limiter>(device, spec);
}

bool Limiter::set(const Settings& settings) noexcept {
  if (!valid(settings)) return false;
  twin<LimiterTwin>().set(constants(settings, sample_rate_hz_, lookahead_ms_));
  return true;
}

backend::OpInfo Limiter::info() {
  return {.name = std::string(kName),
          .summary = "no true peak above the ceiling, by looking ahead",
          .sizes = {64, 512, 2048},
          .batches = {1, 16, 128},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(Limiter(device, {.channels = batch, .max_block_frames = size}),
                                             batch, size);
          }};
}

}  // namespace ringwave::dsp
