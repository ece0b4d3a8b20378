// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "ringwave/core/error.hpp"
#include "ringwave/io/descriptor.hpp"

namespace ringwave::io {
namespace {

[[noreturn]] void fail(const std::string& name) {
  throw BadFile(name + " cannot be read: " + std::generic_category().message(errno));
}

int open_input(const std::string& path) {
  const int descriptor =
      path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path == "-" ? "standard input" : path);
  return descriptor;
}

int open_temporary() {
  std::string path = (std::filesystem::temp_directory_path() / "ringwave-XXXXXX").string();
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor >= 0) unlink(path.c_str());
  return descriptor;
}

}  // namespace

ByteSource::ByteSource(const std::string& path, const std::atomic<bool>* stop)
    : name_(path == "-" ? "standard input" : path), stop_(stop), descriptor_(open_input(path)) {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) errno = EISDIR;
    const int reason = errno;
    close(descriptor_);
    errno = reason;
    fail(name_);
  }
  if (!S_ISREG(status.st_mode)) return;
  begin_ = std::max<std::int64_t>(0, lseek(descriptor_, 0, SEEK_CUR));
  size_ = std::max<std::int64_t>(0, status.st_size - begin_);
}

ByteSource::~ByteSource() {
  close(descriptor_);
}

bool ByteSource::seek(std::int64_t position) {
  if (position < 0) return false;
  if (size_) {
    if (lseek(descriptor_, begin_ + position, SEEK_SET) < 0) return false;
  } else {
    if (position > kHeadBytes || position_ > static_cast<std::int64_t>(head_.size())) return false;
    fill_head(position);
    if (position > static_cast<std::int64_t>(head_.size())) return false;
  }
  position_ = position;
  return true;
}

std::size_t ByteSource::read(std::span<std::byte> bytes) {
  std::size_t done = 0;
  if (!size_ && position_ < kHeadBytes) {
    fill_head(std::min(position_ + static_cast<std::int64_t>(bytes.size()), kHeadBytes));
    done = read_head(bytes);
  }
  if (size_ || position_ >= kHeadBytes) {
    const std::size_t more = read_descriptor(bytes.subspan(done));
    position_ += static_cast<std::int64_t>(more);
    done += more;
  }
  return done;
}

void ByteSource::spool() {
  if (size_) return;
  const int temporary = open_temporary();
  if (temporary < 0) fail("the temporary copy of " + name_);
  try {
    std::vector<std::byte> chunk(1 << 16);
    std::int64_t copied = 0;
    const std::int64_t position = position_;
    if (!seek(0)) throw BadFile(name_ + " cannot be copied: a part of it has been read already");
    while (const std::size_t count = read(chunk)) {
      write_all(temporary, std::span(chunk).first(count), "the temporary copy of " + name_, nullptr);
      copied += static_cast<std::int64_t>(count);
    }
    dup2(temporary, descriptor_);
    close(temporary);
    size_ = copied;
    head_ = {};
    seek(position);
  } catch (...) {
    close(temporary);
    throw;
  }
}

/// Of a pipe, reads until the head holds `bytes` bytes or the end is there.
void ByteSource::fill_head(std::int64_t bytes) {
  const std::size_t had = head_.size();
  if (static_cast<std::int64_t>(had) >= bytes) return;
  head_.resize(static_cast<std::size_t>(bytes));
  head_.resize(had + read_descriptor(std::span(head_).subspan(had)));
}

std::size_t ByteSource::read_head(std::span<std::byte> bytes) {
  const auto begin = static_cast<std::size_t>(position_);
  const std::size_t count = std::min(bytes.size(), head_.size() - std::min(begin, head_.size()));
  std::copy_n(head_.begin() + position_, count, bytes.begin());
  position_ += static_cast<std::int64_t>(count);
  return count;
}

std::size_t ByteSource::read_descriptor(std::span<std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    if (!size_) wait_for(descriptor_, POLLIN, name_, stop_);
    const ssize_t count = ::read(descriptor_, bytes.data() + done, bytes.size() - done);
    if (count == 0) break;
    if (count < 0 && errno != EINTR && errno != EAGAIN) fail(name_);
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return done;
}

}  // namespace ringwave::io
