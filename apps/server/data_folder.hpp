// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace ringwave::server {

/// Where a server keeps what it should know again: stations.json, presets/, renders/,
/// admin-token.
class DataFolder {
 public:
  /// Makes it, for its owner alone, where there is none. Throws BadFile where it cannot be written. [setup]
  explicit DataFolder(std::filesystem::path path);

  [[nodiscard]] std::filesystem::path stations() const { return path_ / "stations.json"; }
  [[nodiscard]] std::filesystem::path presets() const { return path_ / "presets"; }
  [[nodiscard]] std::filesystem::path renders() const { return path_ / "renders"; }
  [[nodiscard]] std::filesystem::path admin_token() const { return path_ / "admin-token"; }

  /// While it lives, no other server uses the folder; a crash gives it back.
  class Lock {
   public:
    explicit Lock(int file) noexcept : file_(file) {}
    ~Lock();
    Lock(Lock&& from) noexcept : file_(std::exchange(from.file_, -1)) {}
    Lock& operator=(Lock&&) = delete;  // one folder, one lock

   private:
    friend class DataFolder;
    int file_;
  };
  /// Throws BadFile where another server has it. [setup]
  [[nodiscard]] Lock lock() const;

 private:
  std::filesystem::path path_;
};

}  // namespace ringwave::server
