// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringwave::ring {

/// How many forks lie between this process and the one that first asked: threads and devices do not come
/// along into a child, and whoever remembers another number must not wait for them. Costs one load. [any]
[[nodiscard]] std::uint32_t fork_generation() noexcept;

}  // namespace ringwave::ring
