// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/board_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::ring {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const char* what) {
  throw BadFile(path.string() + " cannot be " + what + ": " + std::generic_category().message(errno));
}

/// A file, closed at the end.
class Opened {
 public:
  explicit Opened(int file) : file_(file) {}
  ~Opened() {
    if (file_ >= 0) close(file_);
  }
  Opened(const Opened&) = delete;  // it is closed once
  Opened& operator=(const Opened&) = delete;

  [[nodiscard]] int operator*() const noexcept { return file_; }
  /// False where what was written did not reach the file. [setup]
  [[nodiscard]] bool finish() { return close(std::exchange(file_, -1)) == 0; }

 private:
  int file_;
};

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

fs::path BoardFolder::usual() {
  const char* const given = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe)
  const fs::path runtime = given == nullptr ? "" : given;
  struct stat found {};
  if (runtime.is_absolute() && stat(runtime.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
      found.st_uid == geteuid())
    return runtime / "ringwave";
  return fs::path("/tmp") / ("ringwave-" + std::to_string(geteuid()));
}

std::optional<BoardFolder> BoardFolder::open(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0 && errno == ENOENT) return {};
  // A link, and what is no folder, get the same sentence as a folder of another user.
  if (folder < 0 && errno != ENOTDIR && errno != ELOOP && errno != EACCES) fail(path, "opened");
  struct stat found {};
  const bool is_ours = folder >= 0 && fstat(folder, &found) == 0 && found.st_uid == geteuid() &&
                       (found.st_mode & (S_IRWXG | S_IRWXO)) == 0;
  if (!is_ours) {
    if (folder >= 0) close(folder);
    throw BadFile(path.string() +
                  " must be a folder of this user that nobody else may enter; remove it, or `chmod 700` it");
  }
  return BoardFolder(path, folder);
}

BoardFolder BoardFolder::make(const fs::path& path) {
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) fail(path, "made");
  auto made = open(path);
  if (!made) fail(path, "made");
  return std::move(*made);
}

BoardFolder::BoardFolder(BoardFolder&& other) noexcept
    : path_(std::move(other.path_)), folder_(std::exchange(other.folder_, -1)) {}

BoardFolder::~BoardFolder() {
  if (folder_ >= 0) close(folder_);
}

std::vector<std::string> BoardFolder::names() const {
  constexpr std::size_t kMost = 4096;
  const int again = openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const entries = again < 0 ? nullptr : fdopendir(again);
  if (entries == nullptr) {
    if (again >= 0) close(again);
    fail(path_, "read");
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries)) {  // NOLINT(concurrency-mt-unsafe): the stream is ours
    if (names.size() == kMost) break;
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  closedir(entries);
  std::ranges::sort(names);
  return names;
}

std::string BoardFolder::read(const std::string& name, std::size_t most_bytes) const {
  // A pipe under this name must not make the reader wait, nor a link lead it elsewhere.
  const Opened file(openat(folder_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (*file < 0) fail(path_ / name, "read");
  struct stat found {};
  if (fstat(*file, &found) != 0) fail(path_ / name, "read");
  if (!S_ISREG(found.st_mode) || found.st_uid != geteuid())
    throw BadFile((path_ / name).string() + " is no file of this user; remove it");
  std::string bytes(most_bytes + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t count = ::read(*file, bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_ / name, "read");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > most_bytes)
    throw BadFile((path_ / name).string() + " has more than " + std::to_string(most_bytes) +
                  " bytes; remove it");
  bytes.resize(size);
  return bytes;
}

void BoardFolder::write(const std::string& name, std::string_view bytes) const {
  const std::string unfinished = name + std::string(kUnfinished);
  Opened file(openat(folder_, unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                     S_IRUSR | S_IWUSR));
  if (*file < 0) fail(path_ / unfinished, "written");
  if (!write_all(*file, bytes) || !file.finish() ||
      renameat(folder_, unfinished.c_str(), folder_, name.c_str()) != 0) {
    const int reason = errno;
    remove(unfinished);
    errno = reason;
    fail(path_ / name, "written");
  }
}

void BoardFolder::remove(const std::string& name) const noexcept {
  (void)unlinkat(folder_, name.c_str(), 0);
}

}  // namespace ringwave::ring
