// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/compressor.hpp"

#include <cmath>
#include <string>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/compressor_twins.hpp"

namespace ringwave::dsp {
namespace {

using backend::is_sample_rate;
using backend::within;

constexpr double kMakeupGlideMs = 20;

bool valid(const Compressor::Settings& s) noexcept {
  return within(s.threshold_db, -120, 0) && within(s.ratio, 1, 1000) && within(s.knee_db, 0, 60) &&
         within(s.attack_ms, 0.01, 10000) && within(s.release_ms, 0.01, 10000) &&
         within(s.makeup_db, -60, 60);
}

/// The share of a way that is gone in a frame, so that after `ms` there are 37 % left.
double share(double ms, double sample_rate_hz) noexcept {
  return -std::expm1(-1000 / (ms * sample_rate_hz));
}

}  // namespace

CompressorRule::Constants constants_of(const Compressor::Settings& s, double sample_rate_hz) noexcept {
  const double octave = 20 * std::log10(2.0);  // decibels of a factor of 2
  return {s.threshold_db / octave,
          1 - 1 / s.ratio,
          s.knee_db / octave,
          share(s.attack_ms, sample_rate_hz),
          share(s.release_ms, sample_rate_hz),
          s.makeup_db / octave,
          share(kMakeupGlideMs, sample_rate_hz)};
}

Compressor::Compressor(Device device, const Spec& spec)
    : BlockFront(kName.data(), spec.channels, spec.max_block_frames), sample_rate_hz_(spec.sample_rate_hz) {
  if (!valid(spec.settings) || !is_sample_rate(spec.sample_rate_hz))
    throw InvalidArgument(
        "compressor was asked for with a threshold of " + std::to_string(spec.settings.threshold_db) +
        " dB, a ratio of " + std::to_string(spec.settings.ratio) + " and a knee of " +
        std::to_string(spec.settings.knee_db) + " dB at " + std::to_string(spec.sample_rate_hz) +
        " Hz, or times or a makeup out of range; compressor.hpp has the ranges");
  prepare<Compressor>(device, spec);
}

bool Compressor::set(const Settings& settings) noexcept {
  if (!valid(settings)) return false;
  twin<CompressorTwin>().set(constants_of(settings, sample_rate_hz_));
  return true;
}

backend::OpInfo Compressor::info() {
  return {.name = std::string(kName),
          .summary = "loud passages made softer, with a soft knee",
          .sizes = {64, 512, 2048},
          .batches = {1, 16, 128},
          .make_trial = [](Device device, int size, int batch) {
            return backend::make_block_trial(
                Compressor(device, {.channels = batch, .max_block_frames = size}), batch, size);
          }};
}

}  // namespace ringwave::dsp
