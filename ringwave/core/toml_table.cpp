// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/toml_table.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

std::string number_text(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// "main" or "filter.main": where a table stands, for the keys below it.
std::string below(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

}  // namespace

struct TomlTable::Node {
  std::shared_ptr<const toml::table> root;  // owns `table`
  const toml::table* table;
  std::string name;                // of the file
  std::string path;                // of this table in it
  std::vector<std::string> asked;  // keys

  const toml::node* find(std::string_view key) {
    asked.emplace_back(key);
    return table->get(key);
  }
};

TomlTable::TomlTable(std::unique_ptr<Node> node) : node_(std::move(node)) {}
TomlTable::~TomlTable() = default;
TomlTable::TomlTable(TomlTable&&) noexcept = default;
TomlTable& TomlTable::operator=(TomlTable&&) noexcept = default;

TomlTable TomlTable::from_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw BadFile(path.string() + " cannot be read; is it there?");
  std::string text(kLargestBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof())) throw BadFile(path.string() + " cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return from_text(text, path.string());
}

TomlTable TomlTable::from_text(std::string_view text, std::string name) {
  if (text.size() > kLargestBytes)
    throw BadFile(name + " is larger than " + std::to_string(kLargestBytes >> 20) +
                  " MiB, which no settings are; is it another file?");
  try {
    auto root = std::make_shared<const toml::table>(toml::parse(text, std::string_view(name)));
    const toml::table* const table = root.get();
    return TomlTable(
        std::unique_ptr<Node>(new Node{std::move(root), table, std::move(name), std::string(), {}}));
  } catch (const toml::parse_error& error) {
    throw BadFile(name + ":" + std::to_string(error.source().begin.line) + ": " +
                  std::string(error.description()));
  }
}

void TomlTable::refuse(std::string_view key, const std::string& found) const {
  const toml::node* const node = node_->table->get(key);
  const auto line = (node != nullptr ? node->source() : node_->table->source()).begin.line;
  throw BadFile(node_->name + ":" + std::to_string(line) + ": " + below(node_->path, key) + " " + found);
}

std::optional<double> TomlTable::number(std::string_view key, double least, double most) {
  const toml::node* const node = node_->find(key);
  if (node == nullptr) return {};
  if (!node->is_number()) refuse(key, "is no number");
  const double value = *node->value<double>();
  if (!(value >= least && value <= most))
    refuse(key, "is " + number_text(value) + "; use " + number_text(least) + " to " + number_text(most));
  return value;
}

std::optional<bool> TomlTable::flag(std::string_view key) {
  const toml::node* const node = node_->find(key);
  if (node == nullptr) return {};
  if (!node->is_boolean()) refuse(key, "is neither true nor false");
  return *node->value<bool>();
}

std::optional<std::string> TomlTable::text(std::string_view key) {
  const toml::node* const node = node_->find(key);
  if (node == nullptr) return {};
  if (!node->is_string()) refuse(key, "is no text in quotes");
  return *node->value<std::string>();
}

std::optional<std::vector<std::string>> TomlTable::texts(std::string_view key) {
  const toml::node* const node = node_->find(key);
  if (node == nullptr) return {};
  const toml::array* const array = node->as_array();
  if (array == nullptr) refuse(key, "is no list of texts");
  std::vector<std::string> made;
  for (const toml::node& element : *array) {
    if (!element.is_string()) refuse(key, "is a list of something else than texts");
    made.push_back(*element.value<std::string>());
  }
  return made;
}

std::optional<TomlTable> TomlTable::table(std::string_view key) {
  const toml::node* const node = node_->find(key);
  if (node == nullptr) return {};
  const toml::table* const table = node->as_table();
  if (table == nullptr) refuse(key, "is no table");
  return TomlTable(
      std::unique_ptr<Node>(new Node{node_->root, table, node_->name, below(node_->path, key), {}}));
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  std::vector<TomlTable> made;
  const toml::node* const node = node_->find(key);
  if (node == nullptr) return made;
  const toml::array* const array = node->as_array();
  if (array == nullptr) refuse(key, "is no list of tables");
  for (const toml::node& element : *array) {
    const toml::table* const table = element.as_table();
    if (table == nullptr) refuse(key, "is a list of something else than tables");
    made.push_back(TomlTable(
        std::unique_ptr<Node>(new Node{node_->root, table, node_->name, below(node_->path, key), {}})));
  }
  return made;
}

void TomlTable::require_no_others() const {
  for (const auto& [key, node] : *node_->table)
    if (std::ranges::find(node_->asked, key.str()) == node_->asked.end())
      refuse(key.str(), "is not known here; is it misspelt?");
}

}  // namespace ringwave
