// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ringwave/ring/board_page.hpp"

namespace ringwave::ring {

/// What the processes of a user show of their ring kernels.
struct Boards {
  std::vector<BoardPage> pages{};     ///< of running processes, in the order of their ids
  std::vector<std::string> faults{};  ///< a sentence for each file that was passed over
};

/// Reads the boards in a folder, which BoardFolder::usual() names; it may not exist. Removes those of
/// processes that have ended. Throws BadFile for a folder that is not the user's own. [setup]
[[nodiscard]] Boards read_boards(const std::filesystem::path& folder);

}  // namespace ringwave::ring
