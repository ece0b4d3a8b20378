// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace ringwave::stream {

// Where blocks of a station are missing, the music ends and begins again without a click. A block is 16-bit
// stereo, left and right in turn.

/// Makes of a block what is heard after it, though nothing is known of that: the block backwards, which goes
/// on from its last frame, down to silence. [any]
void fade_out_after(std::span<std::int16_t> block) noexcept;

/// Begins a block in silence. [any]
void fade_in(std::span<std::int16_t> block) noexcept;

}  // namespace ringwave::stream
