// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ringwave {

/// What a path that is read may lead to.
enum class ReadFrom : unsigned char {
  file,      ///< a file, also behind a link
  own_file,  ///< a file under this very name, as the program leaves its own
  anything,  ///< also a pipe or a device; a pipe is waited for
};

/// The bytes of a file; of a larger one the first `most_bytes`. Throws BadFile that says why it cannot be
/// read; unless it may be anything, a pipe is refused and not waited for. [setup]
[[nodiscard]] std::string read_file(const std::filesystem::path& path, std::size_t most_bytes,
                                    ReadFrom from = ReadFrom::file);

}  // namespace ringwave
