// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace ringwave::ring {

/// When a process was started, in ticks since the machine was: with its id this names it for good. None where
/// it has ended, though its parent may not know yet. [setup]
[[nodiscard]] std::optional<std::uint64_t> process_start(std::int64_t process);

}  // namespace ringwave::ring
