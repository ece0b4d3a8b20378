// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/biquad.hpp"

#include <memory>

#include "bench/biquad_reference.hpp"
#include "bench/block_run.hpp"
#include "bench/table.hpp"
#include "ringwave/core/buffer.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/dsp/butterworth.hpp"

namespace ringwave::bench {
namespace {

constexpr int kOrder = 8;

std::vector<dsp::Section> lowpass() {
  return dsp::butterworth_lowpass(kOrder, 1000, 48000);
}

/// Some blocks from silence on, so that the memory between blocks is in the check too.
template <class Run>
Check check(Run& run, int channels) {
  if (run.status() != Status::ok) return {false, 0, std::string(to_string(run.status()))};
  std::vector<int> some{0, channels / 2, channels - 1};
  std::vector<BiquadReference> references(some.size(), BiquadReference(lowpass()));
  Parity parity;
  run.op().reset();
  for (std::size_t block = 0; block < 2 * Run::kSets; ++block) {
    run.process(block);
    for (std::size_t i = 0; i < some.size(); ++i)
      references[i].compare(run.input().channel(some[i]), run.output().channel(some[i]), parity);
  }
  return parity.check(kLeastBiquadDb);
}

/// The formula as it stands, a channel after the other, in double as ours.
class PlainLoop {
 public:
  explicit PlainLoop(int channels)
      : filters_(static_cast<std::size_t>(channels), BiquadReference(lowpass())) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept {
    for (int channel = 0; channel < in.channels(); ++channel) {
      BiquadReference& filter = filters_[static_cast<std::size_t>(channel)];
      const auto x = in.channel(channel);
      const auto y = out.channel(channel);
      for (std::size_t n = 0; n < x.size(); ++n) y[n] = static_cast<float>(filter.step(x[n]));
    }
    return Status::ok;
  }

  void reset() noexcept {
    for (BiquadReference& filter : filters_) filter.reset();
  }

 private:
  std::vector<BiquadReference> filters_;
};

/// A filter whose sections are on their way in every block: to where they are, so that the reference holds.
class Gliding {
 public:
  Gliding(Device device, Shape shape)
      : sections_(lowpass()), filter_(device, {shape.channels, shape.frames, 2 * shape.frames}, sections_) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept {
    (void)filter_.set_sections(sections_);
    return filter_.process(in, out);
  }
  void reset() noexcept { filter_.reset(); }

 private:
  std::vector<dsp::Section> sections_;
  dsp::Biquad filter_;
};

Duel glide(Device device, Shape shape) {
  auto run = std::make_shared<BlockRun<Gliding>>(Gliding(device, shape), shape);
  Duel made;
  made.ours = {"biquad", 1, timed([run](std::size_t round) { run->process(round); }),
               [run, shape] { return check(*run, shape.channels); }};
  made.least_samples = 1000;
  return made;
}

/// From pinned host memory and back to it, which the device reaches by itself.
class Pinned {
 public:
  static constexpr std::size_t kSets = 4;

  Pinned(Device device, Shape shape)
      : shape_(shape),
        queue_(device),
        filter_(device, {.channels = shape.channels, .max_block_frames = shape.frames}, lowpass()),
        out_(device, shape.samples(), HostMemory::pinned) {
    for (std::size_t set = 0; set < kSets; ++set) {
      in_.emplace_back(device, shape.samples(), HostMemory::pinned);
      in_.back().copy_from(make_noise(static_cast<std::uint32_t>(set), shape.samples()));
    }
  }

  double block(std::size_t round) {
    last_ = round % kSets;
    const BlockView<const float> in = input();
    const BlockView<float> out{out_.overwrite_host().data(), shape_.channels, shape_.frames};
    return timed([&](std::size_t) {
      const Status status = filter_.enqueue(queue_, in, out);
      queue_.synchronize();
      if (status != Status::ok) status_ = status;
    })(0);
  }

  [[nodiscard]] Pinned& op() noexcept { return *this; }
  void reset() { status_ = filter_.enqueue_reset(queue_); }
  void process(std::size_t round) { (void)block(round); }
  [[nodiscard]] BlockView<const float> input() {
    return {in_[last_].host(queue_).data(), shape_.channels, shape_.frames};
  }
  [[nodiscard]] BlockView<const float> output() {
    return {out_.host(queue_).data(), shape_.channels, shape_.frames};
  }
  [[nodiscard]] Status status() const noexcept { return status_; }

 private:
  Shape shape_;
  Queue queue_;
  dsp::Biquad filter_;
  std::vector<Buffer<float>> in_;
  Buffer<float> out_;
  std::size_t last_ = 0;
  Status status_ = Status::ok;
};

Duel pinned(Device device, Shape shape, bool idle_gaps) {
  auto run = std::make_shared<Pinned>(device, shape);
  Duel made;
  made.ours = {"biquad", 1, [run](std::size_t round) { return run->block(round); },
               [run, shape] { return check(*run, shape.channels); }};
  made.bytes = sizeof(float) * static_cast<double>(shape.samples());  // one way; the other goes at once
  made.flops = static_cast<double>(shape.samples()) * kOrder / 2 * 9;
  made.bound = Bound::host_to_device;
  made.least_samples = 1000;
  if (idle_gaps) made.idle_gap = kIdleGap;
  made.goal.at_most_ns = 0.1e6;
  return made;
}

Duel duel(Device device, Shape shape, bool idle_gaps) {
  auto run = std::make_shared<BlockRun<dsp::Biquad>>(
      dsp::Biquad(device, {.channels = shape.channels, .max_block_frames = shape.frames}, lowpass()), shape);
  Duel made;
  made.ours = {"biquad", 1, timed([run](std::size_t round) { run->process(round); }),
               [run, shape] { return check(*run, shape.channels); }};
  const auto samples = static_cast<double>(shape.samples());
  made.bytes = 2 * sizeof(float) * samples;
  made.flops = samples * kOrder / 2 * 9;
  if (device.kind() != DeviceKind::cpu) {
    made.bytes /= 2;  // the way back does not share the bus with the way there
    made.bound = Bound::host_to_device;
  }
  made.least_samples = 1000;
  if (idle_gaps) {
    made.idle_gap = kIdleGap;
  } else if (device.kind() == DeviceKind::cpu) {
    auto plain = std::make_shared<BlockRun<PlainLoop>>(PlainLoop(shape.channels), shape);
    made.peers.push_back({"plain loop", 1, timed([plain](std::size_t round) { plain->process(round); }),
                          [plain, shape] { return check(*plain, shape.channels); }});
  }
  return made;
}

}  // namespace

std::vector<Case> biquad_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices) {
    for (const Shape shape : {Shape{1, 128}, Shape{8, 128}, Shape{256, 512}})
      cases.push_back({"biquad/" + shape.name() + "/" + device.name(),
                       "8th-order Butterworth, one block after the other, host to host", device,
                       [device, shape] { return duel(device, shape, false); }});
    for (const Shape shape : {Shape{8, 128}, Shape{256, 512}})
      cases.push_back({"biquad/" + shape.name() + "-gliding/" + device.name(),
                       "the same while the sections change", device,
                       [device, shape] { return glide(device, shape); }});
    const Shape tracks{256, 512};
    cases.push_back({"biquad/" + tracks.name() + "-idle-gaps/" + device.name(),
                     "the same with the pause that a real-time caller makes before each block", device,
                     [device, tracks] { return duel(device, tracks, true); }});
    if (device.kind() == DeviceKind::cpu) continue;
    for (const bool idle_gaps : {false, true})
      cases.push_back(
          {"biquad/" + tracks.name() + (idle_gaps ? "-pinned-idle-gaps/" : "-pinned/") + device.name(),
           "pinned host memory to pinned host memory (published: gpuaudiobench 0.155 ms for order 2)", device,
           [device, tracks, idle_gaps] { return pinned(device, tracks, idle_gaps); }});
  }
  return cases;
}

}  // namespace ringwave::bench
