// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ringwave {

/// Where this user's measurements are kept: `ringwave` in XDG_CACHE_HOME, else in ~/.cache. It may not exist
/// yet. Always an absolute path: what lies in the folder that happens to be the current one is not ours.
/// [setup]
[[nodiscard]] std::filesystem::path cache_folder();

}  // namespace ringwave
