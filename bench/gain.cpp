// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/gain.hpp"

#include <cmath>
#include <cstring>
#include <memory>

#include "bench/block_run.hpp"
#include "bench/table.hpp"

namespace ringwave::bench {
namespace {

constexpr float kGain = 0.7F;

/// Every sample of the last block; a product of two floats has one right answer.
template <class Op>
Check check(const BlockRun<Op>& run, float gain) {
  if (run.status() != Status::ok) return {false, 0, std::string(to_string(run.status()))};
  double worst = 0;
  for (int channel = 0; channel < run.input().channels(); ++channel) {
    const auto x = run.input().channel(channel);
    const auto y = run.output().channel(channel);
    for (std::size_t n = 0; n < x.size(); ++n)
      worst = std::fmax(worst, std::isnan(y[n]) ? 1 : std::abs(static_cast<double>(gain * x[n] - y[n])));
  }
  return {worst == 0, worst, worst == 0 ? "exact" : "a sample is off by " + std::to_string(worst)};
}

/// The least one could do: count nothing, ramp nothing.
struct PlainLoop {
  static Status process(BlockView<const float> in, BlockView<float> out) noexcept {
    for (int channel = 0; channel < in.channels(); ++channel) {
      const auto x = in.channel(channel);
      const auto y = out.channel(channel);
      for (std::size_t n = 0; n < x.size(); ++n) y[n] = kGain * x[n];
    }
    return Status::ok;
  }
};

struct Memcpy {
  static Status process(BlockView<const float> in, BlockView<float> out) noexcept {
    for (int channel = 0; channel < in.channels(); ++channel)
      std::memcpy(out.channel(channel).data(), in.channel(channel).data(), in.channel(channel).size_bytes());
    return Status::ok;
  }
};

template <class Op>
Contender contender(const char* name, Op op, Shape shape, float gain) {
  auto run = std::make_shared<BlockRun<Op>>(std::move(op), shape);
  return {name, 1, timed([run](std::size_t round) { run->process(round); }),
          [run, gain] { return check(*run, gain); }};
}

Duel duel(Device device, Shape shape, bool idle_gaps) {
  Duel made;
  made.ours = contender(
      "gain",
      dsp::Gain(device, {.channels = shape.channels, .max_block_frames = shape.frames, .gain = kGain}), shape,
      kGain);
  made.bytes = 2 * sizeof(float) * static_cast<double>(shape.samples());
  made.flops = static_cast<double>(shape.samples());
  if (device.kind() != DeviceKind::cpu) {
    made.bytes /= 2;  // the way back does not share the bus with the way there
    made.bound = Bound::host_to_device;
  }
  made.least_samples = 1000;
  if (idle_gaps) {
    made.idle_gap = kIdleGap;
  } else if (device.kind() == DeviceKind::cpu) {
    made.peers.push_back(contender("plain loop", PlainLoop{}, shape, kGain));
    made.peers.push_back(contender("memcpy (the floor)", Memcpy{}, shape, 1.0F));
  }
  return made;
}

}  // namespace

std::vector<Case> gain_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices) {
    for (const Shape shape : {Shape{8, 128}, Shape{256, 512}})
      cases.push_back({"gain/" + shape.name() + "/" + device.name(),
                       "one factor, one block after the other, host to host", device,
                       [device, shape] { return duel(device, shape, false); }});
    const Shape tracks{256, 512};
    cases.push_back({"gain/" + tracks.name() + "-idle-gaps/" + device.name(),
                     "the same with the pause that a real-time caller makes before each block", device,
                     [device, tracks] { return duel(device, tracks, true); }});
  }
  return cases;
}

}  // namespace ringwave::bench
