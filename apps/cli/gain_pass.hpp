// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "apps/cli/programme.hpp"
#include "ringwave/synth/rendering.hpp"

namespace ringwave::cli {

/// Renders all programmes once, to find for each the gain with which it has a loudness; gives the number of
/// frames. Where the ceiling holds peaks back it will be less, and what is silent keeps its gain. Throws as
/// render_with_progress(). [setup]
std::int64_t set_gains(const synth::Rendering::Spec& spec, std::vector<Programme>& programmes,
                       double target_lufs, std::optional<std::int64_t> frames);

}  // namespace ringwave::cli
