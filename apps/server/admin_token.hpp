// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ringwave::server {

/// The administrator's token of a server that was given none: the one in this file, which is made, for its
/// owner's eyes alone, where there is none. Throws BadFile for a file that is a link, that others can read,
/// or that holds no token. [setup]
[[nodiscard]] std::string admin_token_in(const std::filesystem::path& path);

}  // namespace ringwave::server
