// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <ext/stdio_filebuf.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>

#include "ringwave/core/error.hpp"
#include "ringwave/core/link_target.hpp"

namespace ringwave {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnerAlone = S_IRUSR | S_IWUSR;
constexpr mode_t kAsUmaskSays = kOwnerAlone | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
constexpr mode_t kPermissions = S_IRWXU | S_IRWXG | S_IRWXO;  // no set-user-id

[[noreturn]] void fail(const std::string& path, int reason) {
  throw BadFile(path + " cannot be written: " +
                (reason != 0 ? std::generic_category().message(reason) : "a write failed"));
}

int open_folder_of(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  return ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/// A name of its own for every writer. The file system allows 255 bytes.
std::string unfinished_name(const std::string& name) {
  constexpr std::size_t kMostOfName = 200;
  std::random_device random;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x%08x", random(), random());
  return name.substr(0, kMostOfName) + AtomicFile::kUnfinished + digits.data();
}

/// What has the name now, if anything.
std::optional<struct stat> find_old(int folder, const std::string& name, const std::string& path,
                                    AtomicFile::Kind kind) {
  struct stat old {};
  if (fstatat(folder, name.c_str(), &old, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno != ENOENT) fail(path, errno);
    return {};
  }
  if (S_ISLNK(old.st_mode) && kind == AtomicFile::Kind::state) return {};
  if (S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(old.st_mode))
    throw BadFile(path + " cannot be written: it is a pipe or a device, and would be replaced; name a file");
  return old;
}

/// Gives a file the owner and, if it is a user's, the mode of the one that it is to replace. Where it cannot
/// have the same group, that group gets no more than everybody.
bool take_over(int file, const struct stat& old, AtomicFile::Kind kind) {
  struct stat made {};
  if (fstat(file, &made) != 0) return false;
  const bool is_owned =
      (made.st_uid == old.st_uid && made.st_gid == old.st_gid) || fchown(file, old.st_uid, old.st_gid) == 0;
  const bool is_grouped =
      is_owned || made.st_gid == old.st_gid || fchown(file, static_cast<uid_t>(-1), old.st_gid) == 0;
  if (kind == AtomicFile::Kind::state) return true;
  mode_t mode = old.st_mode & kPermissions;
  if (!is_grouped) mode &= ~static_cast<mode_t>(S_IRWXG) | ((mode & S_IRWXO) << 3U);
  return fchmod(file, mode) == 0;
}

}  // namespace

/// Knows why a write failed, also one long before the end.
class AtomicFile::Buffer : public __gnu_cxx::stdio_filebuf<char> {
 public:
  explicit Buffer(int file) : stdio_filebuf(file, std::ios::out | std::ios::binary) {}

  /// Of the first write that failed; 0 where none did.
  [[nodiscard]] int reason() const noexcept { return reason_; }

 private:
  int_type overflow(int_type letter) override {
    errno = 0;
    const int_type done = stdio_filebuf::overflow(letter);
    if (traits_type::eq_int_type(done, traits_type::eof())) keep();
    return done;
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    errno = 0;
    const std::streamsize done = stdio_filebuf::xsputn(bytes, count);
    if (done < count) keep();
    return done;
  }
  int sync() override {
    errno = 0;
    const int done = stdio_filebuf::sync();
    if (done != 0) keep();
    return done;
  }
  void keep() noexcept {
    if (reason_ == 0) reason_ = errno;
  }

  int reason_ = 0;
};

AtomicFile::AtomicFile(const std::string& path, Kind kind)
    : path_(kind == Kind::output ? link_target(path).string() : path),
      name_(fs::path(path_).filename()),
      folder_(open_folder_of(path_)) {
  if (!folder_) fail(path_, errno);
  if (name_.empty()) fail(path_, path_.empty() ? ENOENT : EISDIR);
  try {
    open(kind);
  } catch (...) {
    remove_unfinished();
    throw;
  }
}

AtomicFile::~AtomicFile() {
  if (buffer_) buffer_->close();
  remove_unfinished();
}

void AtomicFile::open(Kind kind) {
  const std::optional<struct stat> old = find_old(folder_.get(), name_, path_, kind);
  const bool is_new_output = kind == Kind::output && !old;
  const std::string unfinished = unfinished_name(name_);
  FileDescriptor file(openat(folder_.get(), unfinished.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                             is_new_output ? kAsUmaskSays : kOwnerAlone));
  if (!file) fail(path_, errno);
  unfinished_ = unfinished;
  if (old && !take_over(file.get(), *old, kind)) fail(path_, errno);
  buffer_ = std::make_unique<Buffer>(file.get());
  if (!buffer_->is_open()) fail(path_, errno);
  (void)file.release();
  stream_.rdbuf(buffer_.get());
}

void AtomicFile::remove_unfinished() noexcept {
  if (!unfinished_.empty()) (void)unlinkat(folder_.get(), unfinished_.c_str(), 0);
  unfinished_.clear();
}

void AtomicFile::commit() {
  stream_.flush();
  if (!stream_) fail(path_, buffer_->reason());
  // Bytes reach the disk before the name does, or a crash could leave an empty file under the final name.
  if (fsync(buffer_->fd()) != 0) fail(path_, errno);
  if (buffer_->close() == nullptr) fail(path_, errno);
  if (renameat(folder_.get(), unfinished_.c_str(), folder_.get(), name_.c_str()) != 0) fail(path_, errno);
  unfinished_.clear();
  // The file has its name. That a crash does not take it back is as good as the file system makes it.
  const FileDescriptor folder(openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) (void)fsync(folder.get());
}

}  // namespace ringwave
