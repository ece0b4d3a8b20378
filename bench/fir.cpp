// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/fir.hpp"

#include <memory>

#include "bench/block_run.hpp"
#include "bench/parity.hpp"
#include "bench/table.hpp"

namespace ringwave::bench {
namespace {

std::vector<float> taps_of(int count) {
  return make_noise(99, static_cast<std::size_t>(count));
}

/// The end of the last block of some channels against sums in double.
template <class Op>
Check check(BlockRun<Op>& run, int channels, int taps) {
  if (run.status() != Status::ok) return {false, 0, std::string(to_string(run.status()))};
  const std::vector<float> h = taps_of(taps);
  run.op().reset();
  run.process(0);
  Parity parity;
  for (const int channel : {0, channels / 2, channels - 1}) {
    const auto x = run.input().channel(channel);
    const auto y = run.output().channel(channel);
    for (std::size_t n = 0; n < x.size(); ++n) {
      double sum = 0;
      for (std::size_t k = 0; k <= std::min(n, h.size() - 1); ++k)
        sum += static_cast<double>(h[k]) * static_cast<double>(x[n - k]);
      parity.add(sum, static_cast<double>(y[n]));
    }
  }
  return parity.check(110);
}

/// The formula as it stands, from a past in a line of its own.
class PlainLoop {
 public:
  PlainLoop(int channels, int taps)
      : taps_(taps_of(taps)), lines_(static_cast<std::size_t>(channels), std::vector<float>(taps_.size())) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept {
    const std::size_t count = taps_.size();
    const std::size_t start = at_;
    for (int channel = 0; channel < in.channels(); ++channel) {
      std::vector<float>& line = lines_[static_cast<std::size_t>(channel)];
      at_ = start;
      for (std::size_t n = 0; n < static_cast<std::size_t>(in.frames()); ++n) {
        line[at_] = in.channel(channel)[n];
        float sum = 0;
        for (std::size_t k = 0; k <= at_; ++k) sum += taps_[k] * line[at_ - k];
        for (std::size_t k = at_ + 1; k < count; ++k) sum += taps_[k] * line[count + at_ - k];
        out.channel(channel)[n] = sum;
        at_ = at_ + 1 == count ? 0 : at_ + 1;
      }
    }
    return Status::ok;
  }

  void reset() noexcept {
    for (auto& line : lines_) std::ranges::fill(line, 0.0F);
  }

 private:
  std::vector<float> taps_;
  std::vector<std::vector<float>> lines_;
  std::size_t at_ = 0;
};

Duel duel(Device device, Shape shape, int taps) {
  auto run = std::make_shared<BlockRun<dsp::Fir>>(
      dsp::Fir(device, {shape.channels, shape.frames}, taps_of(taps)), shape);
  Duel made;
  made.ours = {"fir", 1, timed([run](std::size_t round) { run->process(round); }),
               [run, shape, taps] { return check(*run, shape.channels, taps); }};
  made.flops = 2.0 * taps * static_cast<double>(shape.samples());
  made.least_samples = 100;
  if (device.kind() == DeviceKind::cpu) {
    auto plain = std::make_shared<BlockRun<PlainLoop>>(PlainLoop(shape.channels, taps), shape);
    made.peers.push_back({"plain loop", 1, timed([plain](std::size_t round) { plain->process(round); }),
                          [plain, shape, taps] { return check(*plain, shape.channels, taps); }});
  }
  return made;
}

}  // namespace

std::vector<Case> fir_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices)
    for (const auto& [shape, taps] : {std::pair{Shape{2, 128}, 128}, std::pair{Shape{8, 512}, 1024}})
      cases.push_back({"fir/" + shape.name() + "-" + std::to_string(taps) + "taps/" + device.name(),
                       "a filter without feedback, one block after the other, host to host", device,
                       [device, shape = shape, taps = taps] { return duel(device, shape, taps); }});
  return cases;
}

}  // namespace ringwave::bench
