// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ringwave {

/// Where this user's measurements are kept: `ringwave` in XDG_CACHE_HOME, else in ~/.cache. It may not exist
/// yet. [setup]
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace ringwave
