// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "ringwave/backend/trial_memory.hpp"
#include "ringwave/backend/workload.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/live/live_spec.hpp"
#include "ringwave/live/way_choice.hpp"

namespace ringwave::live {

/// A live processor, prepared in one way, with a block of noise to work on.
template <class Processor>
class LiveTrial final : public backend::Trial {
 public:
  template <class... Arguments>
  explicit LiveTrial(const LiveSpec& spec, Arguments&&... arguments)
      : processor_(spec, std::forward<Arguments>(arguments)...),
        memory_(2 * spec.max_samples()),
        in_{memory_.samples().data(), spec.channels, spec.max_block_frames},
        out_{memory_.samples().data() + spec.max_samples(), spec.channels, spec.max_block_frames} {
    backend::fill_with_noise(memory_.samples().first(spec.max_samples()));
  }

  Status run() noexcept override { return processor_.process(in_, out_); }

 private:
  Processor processor_;
  backend::TrialMemory memory_;
  BlockView<const float> in_;
  BlockView<float> out_;
};

/// With a deadline that no machine misses: a measurement that is late is still one. [setup]
template <class Processor, class... Arguments>
[[nodiscard]] std::unique_ptr<backend::Trial> make_live_trial(Device device, Way way, int frames,
                                                              int channels, Arguments&&... arguments) {
  const LiveSpec spec{.channels = channels,
                      .max_block_frames = frames,
                      .device = device,
                      .way = way,
                      .deadline = std::chrono::seconds{2}};
  return std::make_unique<LiveTrial<Processor>>(spec, std::forward<Arguments>(arguments)...);
}

using MakeTrial = decltype(backend::OpInfo::make_trial);

/// One way of a live processor as the tuner sees it; `makes` in the order of kWays. [setup]
[[nodiscard]] inline backend::OpInfo live_info(std::string_view processor, const std::string& summary,
                                               Way way,
                                               const std::array<MakeTrial, std::size(kWays)>& makes) {
  std::size_t index = 0;
  while (kWays[index] != way) ++index;
  return {.name = way_name(processor, way),
          .summary = summary + ", by " + std::string(to_string(way)),
          .sizes = {16, 64, 128, 480},
          .batches = {2},
          .make_trial = makes[index]};
}

}  // namespace ringwave::live
