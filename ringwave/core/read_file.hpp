// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ringwave {

/// The bytes of a file; of a larger one the first `most_bytes`. Throws BadFile that says why it cannot be
/// read. [setup]
[[nodiscard]] std::string read_file(const std::filesystem::path& path, std::size_t most_bytes);

}  // namespace ringwave
