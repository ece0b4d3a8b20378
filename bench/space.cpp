// SPDX-License-Identifier: Apache-2.0
// Delay, chorus and reverb. Each check has a short truth: an echo is a delayed copy, a chorus that stands
// still is one, and before its first line is full a room is silent.
#include <cmath>
#include <functional>
#include <memory>

#include "bench/block_run.hpp"
#include "bench/parity.hpp"
#include "bench/table.hpp"
#include "ringwave/dsp/chorus.hpp"
#include "ringwave/dsp/delay.hpp"
#include "ringwave/dsp/reverb.hpp"

namespace ringwave::bench {
namespace {

constexpr int kDelayFrames = 480;  // 10 ms

/// Some blocks from silence on: `dry` of each sample and `wet` of the one kDelayFrames before it.
template <class Op>
Check check_copy(BlockRun<Op>& run, double dry, double wet) {
  if (run.status() != Status::ok) return {false, 0, std::string(to_string(run.status()))};
  run.op().reset();
  Parity parity;
  std::vector<float> past;
  for (std::size_t block = 0; block < 2 * BlockRun<Op>::kSets; ++block) {
    run.process(block);
    const auto x = run.input().channel(0);
    past.insert(past.end(), x.begin(), x.end());
    for (std::size_t n = 0; n < x.size(); ++n) {
      const std::size_t at = past.size() - x.size() + n;
      const double before = at < kDelayFrames ? 0 : static_cast<double>(past[at - kDelayFrames]);
      parity.add(dry * static_cast<double>(x[n]) + wet * before,
                 static_cast<double>(run.output().channel(0)[n]));
    }
  }
  return parity.check(110);
}

/// A room whose shortest line is 1425 frames long, and which is heard alone: silent until then, not after.
Check check_room(BlockRun<dsp::Reverb>& run) {
  if (run.status() != Status::ok) return {false, 0, std::string(to_string(run.status()))};
  run.op().reset();
  double early = 0, late = 0;
  int frames = 0;
  for (std::size_t block = 0; frames < 8000; ++block) {
    run.process(block);
    for (const float y : run.output().channel(0)) {
      (frames < 1425 ? early : late) += std::abs(static_cast<double>(y));
      ++frames;
    }
  }
  const bool ok = early == 0 && late > 0 && std::isfinite(late);
  return {ok, early, ok ? "silent before the first echo" : "an echo too early, or none"};
}

template <class Op>
void add(std::vector<Case>& cases, Device device, const typename Op::Settings& settings,
         const std::function<Check(BlockRun<Op>&)>& checked) {
  for (const Shape shape : {Shape{2, 128}, Shape{256, 512}})
    cases.push_back({std::string(Op::kName) + "/" + shape.name() + "/" + device.name(),
                     "one block after the other, host to host", device, [=] {
                       typename Op::Spec spec;
                       spec.channels = shape.channels;
                       spec.max_block_frames = shape.frames;
                       spec.settings = settings;
                       auto run = std::make_shared<BlockRun<Op>>(Op(device, spec), shape);
                       Duel made;
                       made.ours = {std::string(Op::kName), 1,
                                    timed([run](std::size_t round) { run->process(round); }),
                                    [run, checked] { return checked(*run); }};
                       made.bytes = 2 * sizeof(float) * static_cast<double>(shape.samples());
                       made.least_samples = 200;
                       return made;
                     }});
}

}  // namespace

std::vector<Case> space_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices) {
    add<dsp::Delay>(cases, device, {.time_ms = 10, .feedback = 0, .mix = 0.25},
                    [](auto& run) { return check_copy(run, 0.75, 0.25); });
    add<dsp::Chorus>(cases, device, {.delay_ms = 10, .depth_ms = 0, .mix = 0.5},
                     [](auto& run) { return check_copy(run, 0.5, 0.5 * std::sqrt(3)); });
    add<dsp::Reverb>(cases, device, {.mix = 1}, check_room);
  }
  return cases;
}

}  // namespace ringwave::bench
