// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/read_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "ringwave/core/error.hpp"

namespace ringwave {

std::string read_file(const std::filesystem::path& path, std::size_t most_bytes) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  std::array<char, 65536> piece{};
  while (file && bytes.size() < most_bytes) {
    const std::size_t wanted = std::min(piece.size(), most_bytes - bytes.size());
    file.read(piece.data(), static_cast<std::streamsize>(wanted));
    bytes.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad() || (file.fail() && !file.eof()))
    throw BadFile(path.string() + " cannot be read: " + std::generic_category().message(errno));
  return bytes;
}

}  // namespace ringwave
