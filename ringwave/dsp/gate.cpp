// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/gate.hpp"

#include <cmath>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/gate_twins.hpp"

namespace ringwave::dsp {
namespace {

using backend::is_sample_rate;
using backend::within;

constexpr double kSilentDb = -160;

bool valid(const Gate::Settings& s) noexcept {
  return within(s.open_db, kSilentDb, 0) && within(s.close_db, kSilentDb, s.open_db) &&
         within(s.floor_db, kSilentDb, 0) && within(s.attack_ms, 0, 10000) && within(s.hold_ms, 0, 10000) &&
         within(s.release_ms, 0, 10000);
}

double linear(double db) noexcept {
  return std::pow(10, db / 20);
}

/// What a line over `ms` rises in a frame.
double slope(double ms, double sample_rate_hz) noexcept {
  return 1 / std::fmax(1, std::round(ms * sample_rate_hz / 1000));
}

}  // namespace

GateRule::Constants constants_of(const Gate::Settings& s, double sample_rate_hz) noexcept {
  return {static_cast<float>(linear(s.open_db)),
          static_cast<float>(linear(s.close_db)),
          s.floor_db > kSilentDb ? linear(s.floor_db) : 0,
          slope(s.attack_ms, sample_rate_hz),
          slope(s.release_ms, sample_rate_hz),
          static_cast<int>(std::lround(s.hold_ms * sample_rate_hz / 1000))};
}

Gate::Gate(Device device, const Spec& spec)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames), sample_rate_hz_(spec.sample_rate_hz) {
  if (!valid(spec.settings) || !is_sample_rate(spec.sample_rate_hz))
    throw InvalidArgument("gate was asked for from " + std::to_string(spec.settings.open_db) + " to " +
                          std::to_string(spec.settings.close_db) + " dB at " +
                          std::to_string(spec.sample_rate_hz) +
                          " Hz, or with a floor or times out of range; gate.hpp has the ranges");
  prepare<Gate>(device, spec);
}

bool Gate::set(const Settings& settings) noexcept {
  if (!valid(settings)) return false;
  twin<GateTwin>().set(constants_of(settings, sample_rate_hz_));
  return true;
}

backend::OpInfo Gate::info() {
  return {.name = std::string(kName),
          .summary = "silence for what is not loud enough, with hysteresis and hold",
          .sizes = {64, 512, 2048},
          .batches = {1, 16, 128},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(Gate(device, {.channels = batch, .max_block_frames = size}),
                                             batch, size);
          }};
}

}  // namespace ringwave::dsp
