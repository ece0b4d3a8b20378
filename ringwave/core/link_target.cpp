// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/link_target.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <system_error>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as the system follows

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

void require_trusted(const fs::path& path, const struct stat& link) {
  struct stat folder {};
  if (stat(folder_of(path).c_str(), &folder) != 0) return;  // then nothing can be opened there
  const bool is_for_all = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  if (is_for_all && link.st_uid != geteuid() && link.st_uid != folder.st_uid)
    throw BadFile(path.string() +
                  " is a link that another user put into a folder that everybody may write; remove it, or "
                  "name the file that is meant");
}

}  // namespace

fs::path link_target(fs::path path) {
  const fs::path asked = path;
  for (int links = 0; links < kMostLinks; ++links) {
    struct stat found {};
    if (lstat(path.c_str(), &found) != 0 || !S_ISLNK(found.st_mode)) return path;
    require_trusted(path, found);
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) throw BadFile(path.string() + " cannot be followed: " + error.message());
    path = target.is_absolute() ? target : folder_of(path) / target;
  }
  throw BadFile(asked.string() + " is a link that leads in a circle; name the file that is meant");
}

}  // namespace ringwave
