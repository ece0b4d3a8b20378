// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "ringwave/core/file_descriptor.hpp"

namespace ringwave::server {

/// The folder of rendered files. It keeps a list of the names that were given out; nothing else is ever
/// removed, and nothing behind a link.
class RenderFolder {
 public:
  /// Makes the folder, for its owner alone. Throws BadFile where it cannot be, or is a link. [setup]
  explicit RenderFolder(std::filesystem::path path);

  /// Removes what the last run left: the listed files, whole or not. How many others there are, which stay.
  /// [setup]
  std::size_t remove_the_left();

  /// Writes the list; before a file is made its name is on it. Throws BadFile. [server]
  void list(const std::vector<std::string>& names) const;

  /// Of a name. [any]
  [[nodiscard]] std::filesystem::path path_of(const std::string& name) const { return path_ / name; }

  /// Removes a file that was given out, where it is there. [server]
  void remove(const std::string& name) const noexcept;

 private:
  std::filesystem::path path_;
  FileDescriptor folder_;
};

}  // namespace ringwave::server
