// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/delay.hpp"

#include <cmath>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/delay_twins.hpp"

namespace ringwave::dsp {
namespace {

using backend::is_sample_rate;
using backend::within;

bool valid(const Delay::Spec& r) noexcept {
  const Delay::Settings& s = r.settings;
  return is_sample_rate(r.sample_rate_hz) && within(r.longest_ms, 1, 60000) &&
         within(s.depth_ms, 0, s.time_ms - 0.3) && s.time_ms + s.depth_ms <= r.longest_ms &&
         within(s.feedback, -0.99, 0.99) && within(s.mix, 0, 1) && within(s.rate_hz, 0, 20);
}

}  // namespace

DelayRule::Constants constants_of(const Delay::Request& r) noexcept {
  constexpr double kGlideMs = 50;
  const double frames = r.sample_rate_hz / 1000;  // of a millisecond
  const Delay::Settings& s = r.settings;
  return {{s.time_ms * frames, s.depth_ms * frames, s.feedback, 1 - s.mix, s.mix},
          -std::expm1(-1000 / (kGlideMs * r.sample_rate_hz)),
          static_cast<unsigned>(s.rate_hz / r.sample_rate_hz * 4294967296.0),
          static_cast<int>(std::ceil(r.longest_ms * frames)) + 4};
}

Delay::Delay(Device device, const Spec& spec)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames), spec_(spec) {
  if (!valid(spec))
    throw InvalidArgument("delay was asked for with " + std::to_string(spec.settings.time_ms) + " ms, " +
                          std::to_string(spec.settings.depth_ms) + " ms deep, of at most " +
                          std::to_string(spec.longest_ms) + " ms at " + std::to_string(spec.sample_rate_hz) +
                          " Hz, or with a feedback, mix or rate out of range; delay.hpp has the ranges");
  prepare<Delay>(device, spec);
}

bool Delay::set(const Settings& settings) noexcept {
  Spec changed = spec_;
  changed.settings = settings;
  if (!valid(changed)) return false;
  twin<DelayTwin>().set(constants_of(changed));
  return true;
}

backend::OpInfo Delay::info() {
  return {.name = std::string(kName),
          .summary = "echoes, from a reading point that may move",
          .sizes = {64, 512, 2048},
          .batches = {1, 16, 128},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(
                Delay(device, {.channels = batch, .max_block_frames = size, .longest_ms = 500}), batch, size);
          }};
}

}  // namespace ringwave::dsp
