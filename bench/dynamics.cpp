// SPDX-License-Identifier: Apache-2.0
// Compressor, gate, limiter and soft clipper: noise of ±0.5 that each of them has work with.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "bench/block_run.hpp"
#include "bench/parity.hpp"
#include "bench/table.hpp"
#include "ringwave/dsp/compressor.hpp"
#include "ringwave/dsp/gate.hpp"
#include "ringwave/dsp/limiter.hpp"
#include "ringwave/dsp/soft_clip.hpp"

namespace ringwave::bench {
namespace {

/// What an op must make of a channel's first block after a reset.
using Reference = std::function<std::vector<double>(std::span<const float> in)>;

template <class Op>
Check check(BlockRun<Op>& run, const Reference& reference) {
  if (run.status() != Status::ok) return {false, 0, std::string(to_string(run.status()))};
  run.op().reset();
  run.process(0);
  Parity parity;
  for (const int channel : {0, run.input().channels() - 1}) {
    const std::vector<double> expected = reference(run.input().channel(channel));
    for (std::size_t n = 0; n < expected.size(); ++n)
      parity.add(expected[n], static_cast<double>(run.output().channel(channel)[n]));
  }
  return parity.check(110);
}

/// The limiter has no short reference: none of its samples is above the ceiling, nor is it far below.
Check check_ceiling(BlockRun<dsp::Limiter>& run, double ceiling) {
  if (run.status() != Status::ok) return {false, 0, std::string(to_string(run.status()))};
  double peak = 0;
  for (int channel = 0; channel < run.output().channels(); ++channel)
    for (const float sample : run.output().channel(channel))
      peak = std::isnan(sample) ? 100 : std::fmax(peak, std::abs(static_cast<double>(sample)));
  const double over_db = 20 * std::log10(peak / ceiling);
  return {over_db <= 0.1 && over_db >= -6, peak / ceiling, std::to_string(over_db) + " dB of the ceiling"};
}

/// On libm, a channel after the other.
std::vector<double> compressed(std::span<const float> in) {
  const dsp::Compressor::Settings s;
  const auto share = [](double ms) { return -std::expm1(-1000 / (ms * 48000)); };
  double reduction = 0;
  std::vector<double> out;
  for (const float x : in) {
    const double over = 20 * std::log10(std::abs(static_cast<double>(x)) + 1e-30) - s.threshold_db;
    const double inside = std::clamp(over + s.knee_db / 2, 0.0, s.knee_db);
    const double wanted =
        (1 - 1 / s.ratio) * (inside * inside / (2 * s.knee_db) + std::fmax(0, over - s.knee_db / 2));
    reduction += share(wanted > reduction ? s.attack_ms : s.release_ms) * (wanted - reduction);
    out.push_back(std::pow(10, -reduction / 20) * static_cast<double>(x));
  }
  return out;
}

/// With no way to go, a gate is open as soon as it opens.
std::vector<double> gated(std::span<const float> in) {
  bool open = false;
  std::vector<double> out;
  for (const float x : in) {
    open = open || std::abs(x) >= 0.01F;
    out.push_back(open ? static_cast<double>(x) : 0.0);
  }
  return out;
}

std::vector<double> clipped(std::span<const float> in) {
  std::vector<double> out;
  for (const float x : in) {
    const double d = std::pow(10, 0.6) * static_cast<double>(x);
    out.push_back(std::abs(d) <= 0.5 ? d
                                     : std::copysign(0.5 + 0.5 * std::tanh((std::abs(d) - 0.5) / 0.5), d));
  }
  return out;
}

template <class Op>
Duel duel(Device device, Shape shape, const typename Op::Settings& settings,
          const std::function<Check(BlockRun<Op>&)>& checked) {
  typename Op::Spec spec;
  spec.channels = shape.channels;
  spec.max_block_frames = shape.frames;
  spec.settings = settings;
  auto run = std::make_shared<BlockRun<Op>>(Op(device, spec), shape);
  Duel made;
  made.ours = {std::string(Op::kName), 1, timed([run](std::size_t round) { run->process(round); }),
               [run, checked] { return checked(*run); }};
  made.bytes = 2 * sizeof(float) * static_cast<double>(shape.samples());
  made.least_samples = 200;
  return made;
}

template <class Op>
void add(std::vector<Case>& cases, Device device, const typename Op::Settings& settings,
         const std::function<Check(BlockRun<Op>&)>& checked) {
  for (const Shape shape : {Shape{2, 128}, Shape{256, 512}})
    cases.push_back({std::string(Op::kName) + "/" + shape.name() + "/" + device.name(),
                     "one block after the other, host to host", device,
                     [=] { return duel<Op>(device, shape, settings, checked); }});
}

}  // namespace

std::vector<Case> dynamics_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices) {
    add<dsp::Compressor>(cases, device, {}, [](auto& run) { return check(run, compressed); });
    add<dsp::Gate>(cases, device, {.close_db = -160, .floor_db = -160, .attack_ms = 0, .hold_ms = 10000},
                   [](auto& run) { return check(run, gated); });
    add<dsp::Limiter>(cases, device, {.ceiling_db = -12},
                      [](auto& run) { return check_ceiling(run, std::pow(10, -12 / 20.0)); });
    add<dsp::SoftClip>(cases, device, {.drive_db = 12}, [](auto& run) { return check(run, clipped); });
  }
  return cases;
}

}  // namespace ringwave::bench
