// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/byte_sink.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <ostream>
#include <system_error>

#include "ringwave/core/error.hpp"
#include "ringwave/io/descriptor.hpp"

namespace ringwave::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& name, int reason) {
  throw BadFile(name + " cannot be written: " +
                (reason != 0 ? std::generic_category().message(reason) : "a write failed"));
}

/// A pipe or a device under that name, or standard output.
bool is_stream(const std::string& path) {
  std::error_code absent;
  const fs::file_status status = fs::status(path, absent);
  return path == "-" || (fs::exists(status) && !fs::is_regular_file(status));
}

}  // namespace

ByteSink::ByteSink(const std::string& path, const std::atomic<bool>* stop)
    : name_(path == "-" ? "standard output" : path), stop_(stop) {
  if (!is_stream(path)) {
    file_ = std::make_unique<AtomicFile>(path);
    return;
  }
  descriptor_ =
      path == "-" ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(name_, errno);
}

ByteSink::~ByteSink() {
  if (descriptor_ >= 0) close(descriptor_);
}

void ByteSink::write(std::span<const std::byte> bytes) {
  if (!file_) return write_all(descriptor_, bytes, name_, stop_);
  errno = 0;
  file_->stream().write(reinterpret_cast<const char*>(bytes.data()),
                        static_cast<std::streamsize>(bytes.size()));
  if (!file_->stream()) fail(name_, errno);
}

void ByteSink::seek(std::int64_t position) {
  errno = 0;
  if (!file_ || !file_->stream().seekp(position)) fail(name_, file_ ? errno : ESPIPE);
}

void ByteSink::commit() {
  if (file_) file_->commit();
}

}  // namespace ringwave::io
