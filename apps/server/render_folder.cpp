// SPDX-License-Identifier: Apache-2.0
#include "apps/server/render_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/read_file.hpp"

namespace ringwave::server {
namespace {

constexpr const char* kList = ".list";
constexpr std::size_t kMostListBytes = std::size_t{1} << 20U;

FileDescriptor opened(const std::filesystem::path& path) {
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    throw BadFile(path.string() +
                  " cannot be a folder for rendered files: " + std::generic_category().message(errno));
  FileDescriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder && (errno == ELOOP || errno == ENOTDIR))
    throw BadFile(path.string() +
                  " is a link or a file, and the server removes what it made there; move it away, or mount "
                  "what is meant");
  if (!folder) throw BadFile(path.string() + " cannot be opened: " + std::generic_category().message(errno));
  return folder;
}

/// The list itself is among them, for it may have been left half written. Without a list nothing is known.
std::set<std::string> listed(const std::filesystem::path& list) {
  std::set<std::string> names{kList};
  try {
    std::istringstream lines(read_file(list, kMostListBytes, ReadFrom::own_file));
    for (std::string name; std::getline(lines, name);) names.insert(name);
  } catch (const BadFile&) {
  }
  return names;
}

/// A listed file, or what an end in the middle left of it.
bool is_listed(const std::set<std::string>& names, const std::string& file) {
  return names.contains(file) || names.contains(file.substr(0, file.rfind(AtomicFile::kUnfinished)));
}

struct CloseFolder {
  void operator()(DIR* folder) const noexcept { (void)closedir(folder); }
};

std::vector<std::string> names_in(int folder) {
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, CloseFolder> entries(again < 0 ? nullptr : fdopendir(again));
  std::vector<std::string> names;
  if (entries == nullptr) {
    if (again >= 0) close(again);
    return names;
  }
  while (const dirent* entry = readdir(entries.get()))  // NOLINT(concurrency-mt-unsafe): the stream is ours
    names.emplace_back(entry->d_name);
  return names;
}

bool is_file(int folder, const std::string& name) {
  struct stat found {};
  return fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(found.st_mode);
}

}  // namespace

RenderFolder::RenderFolder(std::filesystem::path path) : path_(std::move(path)), folder_(opened(path_)) {}

std::size_t RenderFolder::remove_the_left() {
  const std::set<std::string> names = listed(path_of(kList));
  std::size_t others = 0;
  for (const std::string& name : names_in(folder_.get())) {
    if (name == "." || name == ".." || name == kList) continue;
    if (is_listed(names, name) && is_file(folder_.get(), name))
      remove(name);
    else
      ++others;
  }
  return others;
}

void RenderFolder::list(const std::vector<std::string>& names) const {
  AtomicFile file(path_of(kList), AtomicFile::Kind::state);
  for (const std::string& name : names) file.stream() << name << '\n';
  file.commit();
}

void RenderFolder::remove(const std::string& name) const noexcept {
  (void)unlinkat(folder_.get(), name.c_str(), 0);
}

}  // namespace ringwave::server
