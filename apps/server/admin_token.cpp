// SPDX-License-Identifier: Apache-2.0
#include "apps/server/admin_token.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "apps/server/rights.hpp"
#include "apps/server/token_text.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/file_descriptor.hpp"

namespace ringwave::server {
namespace {

constexpr mode_t kOwnersOnly = 0600;
constexpr mode_t kOthers = 0077;
constexpr std::size_t kMostBytes = 1024;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw BadFile(path.string() + " cannot hold the administrator's token: " + why +
                "; remove it, and a new one is made");
}

/// The file is whole or not there: a crash leaves none that is empty.
void make(const std::filesystem::path& path) {
  std::string unfinished = path.string() + ".XXXXXX";
  const FileDescriptor file(mkostemp(unfinished.data(), O_CLOEXEC));  // 0600
  const std::string line = make_secret() + "\n";
  const bool is_written = file.get() >= 0 &&
                          ::write(file.get(), line.data(), line.size()) == std::ssize(line) &&
                          fsync(file.get()) == 0;
  const bool is_there = is_written && (link(unfinished.c_str(), path.c_str()) == 0 || errno == EEXIST);
  const int error = errno;
  if (file.get() >= 0) unlink(unfinished.c_str());
  if (!is_there) fail(path, std::generic_category().message(error));
}

}  // namespace

std::string admin_token_in(const std::filesystem::path& path) {
  constexpr int kHow = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  if (struct stat found{}; lstat(path.c_str(), &found) != 0 && errno == ENOENT) make(path);
  const FileDescriptor file(open(path.c_str(), kHow));
  if (file.get() < 0) fail(path, std::generic_category().message(errno));
  struct stat found {};
  if (fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) fail(path, "it is no plain file");
  if ((found.st_mode & kOthers) != 0) fail(path, "others than its owner can read or write it");
  if ((found.st_mode & kOwnersOnly) == 0) fail(path, "its owner cannot read it");
  std::array<char, kMostBytes> bytes{};
  const ssize_t count = ::read(file.get(), bytes.data(), bytes.size());
  if (count < 0) fail(path, std::generic_category().message(errno));
  std::string token(bytes.data(), static_cast<std::size_t>(count));
  if (token.ends_with('\n')) token.pop_back();
  try {
    require_token_text(token);
  } catch (const InvalidArgument& error) {
    fail(path, error.what());
  }
  return token;
}

}  // namespace ringwave::server
