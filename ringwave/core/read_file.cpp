// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "ringwave/core/error.hpp"
#include "ringwave/core/file_descriptor.hpp"

namespace ringwave {
namespace {

constexpr std::size_t kPieceBytes = 65536;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw BadFile(path.string() + " cannot be read: " + reason);
}

[[noreturn]] void fail(const std::filesystem::path& path, int reason) {
  fail(path, std::generic_category().message(reason));
}

FileDescriptor opened(const std::filesystem::path& path, ReadFrom from) {
  const int waits = from == ReadFrom::anything ? 0 : O_NONBLOCK;
  const int follows = from == ReadFrom::own_file ? O_NOFOLLOW : 0;
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | waits | follows));
  if (!file && errno == ELOOP && from == ReadFrom::own_file)
    fail(path, "it is a link; put the file itself there");
  if (!file) fail(path, errno);
  struct stat found {};
  if (fstat(file.get(), &found) != 0) fail(path, errno);
  if (S_ISDIR(found.st_mode)) fail(path, EISDIR);
  if (!S_ISREG(found.st_mode) && from != ReadFrom::anything)
    fail(path, "it is a pipe or a device; put a file there");
  return file;
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t most_bytes, ReadFrom from) {
  const FileDescriptor file = opened(path, from);
  std::string bytes;
  while (bytes.size() < most_bytes) {
    const std::size_t had = bytes.size();
    bytes.resize(had + std::min(kPieceBytes, most_bytes - had));
    const ssize_t count = read(file.get(), bytes.data() + had, bytes.size() - had);
    const int reason = errno;
    bytes.resize(had + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) break;
    if (count < 0 && reason != EINTR) fail(path, reason);
  }
  return bytes;
}

}  // namespace ringwave
