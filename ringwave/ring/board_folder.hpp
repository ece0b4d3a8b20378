// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringwave::ring {

/// The folder in which the processes of a user show their ring kernels, open. It is the user's own, and
/// nobody else may enter it: what others made is refused, not used.
class BoardFolder {
 public:
  /// `ringwave` in XDG_RUNTIME_DIR, where that is a folder of this user; else `/tmp/ringwave-<user id>`.
  /// [setup]
  [[nodiscard]] static std::filesystem::path usual();

  /// None where there is no such folder. Throws BadFile where it is not the user's own. [setup]
  [[nodiscard]] static std::optional<BoardFolder> open(const std::filesystem::path& path);
  /// Makes it where there is none. Throws BadFile. [setup]
  [[nodiscard]] static BoardFolder make(const std::filesystem::path& path);

  ~BoardFolder();
  BoardFolder(BoardFolder&& other) noexcept;
  BoardFolder& operator=(BoardFolder&&) = delete;  // it is opened and closed, not changed

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Of its files, the first 4,096; sorted. [setup]
  [[nodiscard]] std::vector<std::string> names() const;
  /// A plain file of this user. Throws BadFile for another, and for one that is longer. [setup]
  [[nodiscard]] std::string read(const std::string& name, std::size_t most_bytes) const;
  /// The file changes as a whole: who reads it sees what was there, or all of this. Throws BadFile. [setup]
  void write(const std::string& name, std::string_view bytes) const;
  void remove(const std::string& name) const noexcept;

  /// What write() calls a file that is not whole. [any]
  static constexpr std::string_view kUnfinished = ".unfinished";

 private:
  BoardFolder(std::filesystem::path path, int folder) : path_(std::move(path)), folder_(folder) {}

  std::filesystem::path path_;
  int folder_;
};

}  // namespace ringwave::ring
