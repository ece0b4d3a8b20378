// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cache_folder.hpp"

#include <cstdlib>
#include <string>

namespace ringwave {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path cache_folder() {
  std::filesystem::path folder = environment("XDG_CACHE_HOME");
  if (!folder.is_absolute()) folder = std::filesystem::path(environment("HOME")) / ".cache";
  return folder / "ringwave";
}

}  // namespace ringwave
