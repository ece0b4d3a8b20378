// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/render_with_progress.hpp"

#include <utility>

#include "apps/cli/interruption.hpp"
#include "apps/cli/progress.hpp"

namespace ringwave::cli {

std::int64_t render_with_progress(const synth::Rendering::Spec& spec,
                                  std::vector<synth::Rendering::Station> stations,
                                  std::optional<std::int64_t> frames, const std::string& task) {
  Progress progress(task, frames ? frames : stations.front().piece->end_frame(), spec.sample_rate_hz);
  const auto see = [&progress](std::int64_t heard) {
    progress.show(heard);
    Interruption::check();
  };
  return synth::render_batch(spec, std::move(stations), frames, see).front();
}

}  // namespace ringwave::cli
