// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

namespace ringwave {

/// A file that appears under its name only when it is whole. Until commit() it is written beside it under
/// another name; without commit() that is removed and what had the name before stays.
class AtomicFile {
 public:
  /// Throws BadFile where the folder cannot be written. [setup]
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;  // one file, one commit
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] std::ostream& stream() noexcept { return stream_; }

  /// Gives the file its name. Throws BadFile where not everything could be written. [setup]
  void commit();

 private:
  std::string path_;
  std::string unfinished_;
  std::ofstream stream_;
};

}  // namespace ringwave
