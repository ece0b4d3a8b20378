// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "bench/block_run.hpp"
#include "bench/case.hpp"
#include "ringwave/live/live_processor.hpp"
#include "ringwave/live/way.hpp"

namespace ringwave::bench {

/// Blocks of a live application, and the pause that lets caches and clocks cool down before each.
inline constexpr int kLiveFrames[] = {16, 64, 128, 480};
inline constexpr std::chrono::microseconds kLivePause{1000};
/// Longer than a machine is held up: a block that takes long is measured, and not lost.
inline constexpr std::chrono::seconds kLiveDeadline{2};

/// The same work by ring, by graph and by plain launch; on the CPU by ring and by a call. `make` makes the
/// contender of one way. [setup]
[[nodiscard]] inline Duel duel_of_ways(Device device, bool idle_gaps,
                                       const std::function<Contender(live::Way way)>& make) {
  Duel made;
  // The ring kernel last: while it is resident nothing may be planned or loaded.
  if (device.kind() != DeviceKind::cpu) made.peers.push_back(make(live::Way::graph));
  made.peers.push_back(make(live::Way::launch));
  for (const Contender& peer : made.peers) (void)peer.sample(0);
  made.ours = make(live::Way::ring);
  if (device.kind() == DeviceKind::cpu) made.peers.back().name = "direct call";
  // Of fewer than thousands the 99.9th percentile would be one unlucky block.
  made.least_samples = device.kind() == DeviceKind::cpu ? 2000 : idle_gaps ? 5000 : 10'000;
  if (idle_gaps) made.idle_gap = kLivePause;
  return made;
}

/// A live processor as BlockRun takes one.
class LiveOp {
 public:
  explicit LiveOp(std::unique_ptr<live::LiveProcessor> processor) : processor_(std::move(processor)) {}

  Status process(BlockView<const float> in, BlockView<float> out) noexcept {
    return processor_->process(in, out);
  }
  void reset() noexcept { (void)processor_->reset(); }

 private:
  std::unique_ptr<live::LiveProcessor> processor_;
};

using LiveRun = BlockRun<LiveOp>;

/// One way of a live processor; `check` looks at a run. [setup]
[[nodiscard]] inline Contender live_contender(live::Way way, Shape shape,
                                              std::unique_ptr<live::LiveProcessor> processor,
                                              std::function<Check(LiveRun&)> check) {
  const auto run = std::make_shared<LiveRun>(LiveOp(std::move(processor)), shape);
  return {std::string(to_string(way)), 1, timed([run](std::size_t round) { run->process(round); }),
          [run, check = std::move(check)] {
            if (run->status() != Status::ok) return Check{false, 0, std::string(to_string(run->status()))};
            return check(*run);
          }};
}

}  // namespace ringwave::bench
