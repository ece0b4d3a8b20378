// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/synth/rendering.hpp"

namespace ringwave::cli {

/// synth::render_batch() with a bar of the progress after the word `task`; the frames of the first station.
/// Throws as that, and Interrupted. [setup]
std::int64_t render_with_progress(const synth::Rendering::Spec& spec,
                                  std::vector<synth::Rendering::Station> stations,
                                  std::optional<std::int64_t> frames, const std::string& task);

}  // namespace ringwave::cli
