// SPDX-License-Identifier: Apache-2.0
#include "apps/server/data_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "ringwave/core/error.hpp"

namespace ringwave::server {

namespace fs = std::filesystem;

DataFolder::DataFolder(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
  if (!error && mkdir(path_.c_str(), S_IRWXU) != 0 && (errno != EEXIST || !fs::is_directory(path_)))
    error = std::error_code(errno == EEXIST ? ENOTDIR : errno, std::generic_category());
  if (!error && access(path_.c_str(), W_OK | X_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error)
    throw BadFile(path_.string() + " cannot be the data folder: " + error.message() +
                  "; name another with --data");
}

DataFolder::Lock DataFolder::lock() const {
  const fs::path path = path_ / "lock";
  Lock lock(open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (lock.file_ < 0)
    throw BadFile(path.string() + " cannot be written: " + std::generic_category().message(errno));
  if (flock(lock.file_, LOCK_EX | LOCK_NB) != 0)
    throw BadFile(path_.string() +
                  " is in use by another server; end that one, or name another folder with "
                  "--data");
  return lock;
}

DataFolder::Lock::~Lock() {
  if (file_ >= 0) close(file_);
}

}  // namespace ringwave::server
