// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/picture_path.hpp"

#include <cctype>
#include <filesystem>
#include <system_error>

#include "ringwave/core/error.hpp"

namespace ringwave::cli {

void require_png(const std::string& path) {
  std::error_code absent;
  const std::filesystem::file_status status = std::filesystem::status(path, absent);
  const bool is_stream = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& letter : ending) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (path != "-" && !is_stream && ending != ".png")
    throw InvalidArgument(path + " was given for a picture, which is PNG; use a name that ends in .png");
}

}  // namespace ringwave::cli
