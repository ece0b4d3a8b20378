// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringwave::client {

/// Lets this process open as many files as the system allows it; how many that are. [setup]
std::uint64_t raise_open_files() noexcept;

}  // namespace ringwave::client
