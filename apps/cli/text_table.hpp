// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwave::cli {

/// Rows of text in columns that are as wide as what stands in them.
class TextTable {
 public:
  enum class Side : bool { left, right };
  struct Column {
    std::string title;
    Side side = Side::left;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// A cell for each column. What would steer a terminal is shown as '?'. [setup]
  void add(std::vector<std::string> cells);
  /// The lines, the titles first; without ends. [setup]
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Text of others without what would steer a terminal. [setup]
[[nodiscard]] std::string harmless(std::string_view text);

/// The beginning of a text, as many letters as `columns`. [setup]
[[nodiscard]] std::string cut_to(const std::string& text, std::size_t columns);

}  // namespace ringwave::cli
