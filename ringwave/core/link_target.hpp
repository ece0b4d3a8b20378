// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ringwave {

/// Where a path leads when the links under its name are followed; the file there may not exist yet. In a
/// folder that everybody may write, like /tmp, a link counts only where it is this user's or the folder's
/// owner's: that of a third one would make us write what it could not write itself. Throws BadFile for such a
/// link, and for links that lead in a circle. [setup]
[[nodiscard]] std::filesystem::path link_target(std::filesystem::path path);

}  // namespace ringwave
