// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// A handler's state as bytes that can be kept: with the handler's name, the size and a sum, so that what
/// comes back is known to be what was kept.
namespace ringwave::ring {

/// [setup]
[[nodiscard]] std::vector<std::byte> write_checkpoint(std::string_view handler,
                                                      std::span<const std::byte> state);

/// The state inside. Throws InvalidArgument for bytes that are no checkpoint, are torn, or are another
/// handler's. [setup]
[[nodiscard]] std::vector<std::byte> read_checkpoint(std::span<const std::byte> checkpoint,
                                                     std::string_view handler, std::size_t state_bytes);

}  // namespace ringwave::ring
