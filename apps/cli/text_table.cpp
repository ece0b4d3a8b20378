// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/text_table.hpp"

#include <algorithm>
#include <utility>

namespace ringwave::cli {
namespace {

/// Of UTF-8; the first byte of a letter is the one that counts.
bool begins_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80;
}

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_letter));
}

}  // namespace

std::string harmless(std::string_view text) {
  std::string shown(text);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    const auto next = i + 1 < shown.size() ? static_cast<unsigned char>(shown[i + 1]) : 0U;
    if (byte < 0x20 || byte == 0x7F) shown[i] = '?';
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) shown.replace(i, 2, "?");  // a control letter of 8 bits
  }
  return shown;
}

std::string cut_to(const std::string& text, std::size_t columns) {
  std::size_t size = 0;
  for (std::size_t count = 0; size < text.size(); ++size)
    if (begins_letter(text[size]) && count++ == columns) break;
  return text.substr(0, size);
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = harmless(cell);
  rows_.push_back(std::move(cells));
}

std::vector<std::string> TextTable::lines() const {
  std::vector<std::vector<std::string>> all(1);
  for (const Column& column : columns_) all[0].push_back(column.title);
  all.insert(all.end(), rows_.begin(), rows_.end());
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : all)
    for (std::size_t i = 0; i < columns_.size(); ++i) widths[i] = std::max(widths[i], letters(row[i]));

  std::vector<std::string> lines;
  for (const auto& row : all) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string space(widths[i] - letters(row[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].side == Side::right ? space + row[i] : row[i] + space;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace ringwave::cli
