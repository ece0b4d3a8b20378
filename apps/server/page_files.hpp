// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "apps/server/answer.hpp"

namespace ringwave::server {

/// A file that is in the program.
struct EmbeddedFile {
  std::string_view name;  ///< "index.html", "js/player.js"
  std::string_view bytes;
};

/// The files of apps/web, and the description of the interface. Made by the build. [any]
[[nodiscard]] std::span<const EmbeddedFile> embedded_files() noexcept;
/// One of them; empty where there is none. [any]
[[nodiscard]] std::string_view embedded_file(std::string_view name) noexcept;

/// The web page: a fixed table of files, so that no address can lead out of it.
class PageFiles {
 public:
  /// Those in the program, or those that a folder holds now; what they say is then read at each request.
  /// Throws BadFile where it is no folder. [setup]
  explicit PageFiles(const std::filesystem::path& folder);

  /// The file of a path; "/" is index.html. 304 where the client has it already; not_found. [server]
  [[nodiscard]] Answer answer(const std::string& path, const std::string& if_none_match) const;

 private:
  struct File {
    std::string_view bytes{};
    std::filesystem::path path{};  ///< empty: the bytes are here
    std::string tag{};
  };
  std::map<std::string, File, std::less<>> files_;  // by path: "/js/player.js"
};

/// The media type of a name by its ending. [any]
[[nodiscard]] std::string_view media_type(std::string_view name) noexcept;

}  // namespace ringwave::server
