// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

[[noreturn]] void fail(const std::string& path) {
  const char* reason = errno != 0 ? std::strerror(errno) : "a write failed";  // NOLINT(concurrency-mt-unsafe)
  throw BadFile(path + " cannot be written: " + reason);
}

/// Bytes reach the disk before the name does, or a crash could leave an empty file under the final name.
void flush_to_disk(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || fsync(file) != 0) {
    if (file >= 0) close(file);
    fail(path);
  }
  close(file);
}

/// A name of its own for every writer, of this process or another.
std::string unfinished_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return path + ".unfinished-" + std::to_string(getpid()) + "-" + std::to_string(count++);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), unfinished_(unfinished_name(path_)) {
  errno = 0;
  stream_.open(unfinished_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(path_);
}

AtomicFile::~AtomicFile() {
  stream_.close();
  if (!unfinished_.empty()) std::remove(unfinished_.c_str());
}

void AtomicFile::commit() {
  errno = 0;
  stream_.close();
  if (!stream_) fail(path_);
  flush_to_disk(unfinished_);
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) fail(path_);
  unfinished_.clear();
}

}  // namespace ringwave
