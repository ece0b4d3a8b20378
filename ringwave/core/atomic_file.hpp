// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "ringwave/core/file_descriptor.hpp"

namespace ringwave {

/// A file that appears under its name only when it is whole. Until commit() it is written beside it under a
/// name that nobody can guess; without commit() that is removed and what had the name before stays. A name
/// that belongs to a folder, a pipe or a device is refused.
class AtomicFile {
 public:
  /// Stands between the name of the file and letters of chance while it is not whole.
  static constexpr const char* kUnfinished = ".unfinished-";

  enum class Kind : unsigned char {
    /// A user's. Where its name is a link, the file behind that is written. It keeps the mode and, where that
    /// is
    /// permitted, the owner of the file that it replaces; a new one has what the umask leaves.
    output,
    /// The program's own, for its owner alone. A link under its name is replaced, never followed.
    state,
  };

  /// Throws BadFile where the folder cannot be written. [setup]
  explicit AtomicFile(const std::string& path, Kind kind = Kind::output);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;  // one file, one commit
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] std::ostream& stream() noexcept { return stream_; }

  /// Gives the file its name. Throws BadFile where not everything could be written. [setup]
  void commit();

 private:
  class Buffer;

  void open(Kind kind);
  void remove_unfinished() noexcept;

  std::string path_;
  std::string name_;  // in its folder
  FileDescriptor folder_;
  std::string unfinished_;  // the name until commit(); empty: there is nothing to remove
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_{nullptr};
};

}  // namespace ringwave
