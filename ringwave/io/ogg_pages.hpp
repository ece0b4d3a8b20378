// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ringwave::io {

/// Moves the end of an Ogg stream `granules` towards its beginning: `pages` are whole pages, of which the
/// last one's position, and with it the checksum, changes. Decoders leave out what its packets hold beyond.
/// Returns false, and changes nothing, where these are no whole pages or the last one has no position that
/// could be earlier by so much. [any]
[[nodiscard]] bool shorten_ogg(std::span<std::byte> pages, std::int64_t granules) noexcept;

}  // namespace ringwave::io
