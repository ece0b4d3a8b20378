// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringwave {

/// A table of a TOML file, read by asking for each key that is known. Whatever is wrong, a type, a range, a
/// key that nobody asked for, is a BadFile whose one sentence begins with the file and the line and names the
/// key.
///
///   TomlTable table = TomlTable::from_file(path);
///   const double bpm = table.number("bpm", 40, 120).value_or(60);
///   table.require_no_others();
class TomlTable {
 public:
  static constexpr std::size_t kLargestBytes = std::size_t{1} << 20;

  /// Throws BadFile for a file that cannot be read, is larger than kLargestBytes or is no TOML. [setup]
  [[nodiscard]] static TomlTable from_file(const std::filesystem::path& path);
  /// The same of text; `name` stands for the file in messages. [setup]
  [[nodiscard]] static TomlTable from_text(std::string_view text, std::string name);

  ~TomlTable();
  TomlTable(TomlTable&&) noexcept;
  TomlTable& operator=(TomlTable&&) noexcept;

  /// The value of a key; nothing where the key is absent. A number is finite and within its range. [setup]
  [[nodiscard]] std::optional<double> number(std::string_view key, double least, double most);
  [[nodiscard]] std::optional<bool> flag(std::string_view key);
  [[nodiscard]] std::optional<std::string> text(std::string_view key);
  [[nodiscard]] std::optional<std::vector<std::string>> texts(std::string_view key);
  /// The table of a key, and those of an array of tables, which may be none. [setup]
  [[nodiscard]] std::optional<TomlTable> table(std::string_view key);
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key);

  /// Throws BadFile about a key: FILE:LINE: KEY `found`. [setup]
  [[noreturn]] void refuse(std::string_view key, const std::string& found) const;

  /// Throws BadFile for the first key that was never asked for. [setup]
  void require_no_others() const;

 private:
  struct Node;
  explicit TomlTable(std::unique_ptr<Node> node);
  std::unique_ptr<Node> node_;
};

}  // namespace ringwave
