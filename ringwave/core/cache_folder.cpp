// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/cache_folder.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace ringwave {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// What the system knows where the environment says nothing; for a user without a home the root, where
/// nothing can be written.
std::filesystem::path home() {
  std::filesystem::path said = environment("HOME");
  if (said.is_absolute()) return said;
  std::array<char, 4096> text{};
  passwd entry{};
  passwd* found = nullptr;
  const bool is_known = getpwuid_r(geteuid(), &entry, text.data(), text.size(), &found) == 0;
  std::filesystem::path known = is_known && found != nullptr ? entry.pw_dir : "";
  return known.is_absolute() ? known : "/";
}

}  // namespace

std::filesystem::path cache_folder() {
  std::filesystem::path folder = environment("XDG_CACHE_HOME");
  if (!folder.is_absolute()) folder = home() / ".cache";
  return folder / "ringwave";
}

}  // namespace ringwave
