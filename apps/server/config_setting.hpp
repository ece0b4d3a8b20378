// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "apps/server/config.hpp"

namespace ringwave::server {

/// A setting of the server: `max_stations` in the TOML file, RINGWAVE_MAX_STATIONS in the environment,
/// --max-stations on the command line.
struct Setting {
  using Field = std::variant<int ServerConfig::*, double ServerConfig::*, bool ServerConfig::*,
                             std::string ServerConfig::*, std::vector<std::string> ServerConfig::*>;

  std::string_view name;
  std::string_view type;  ///< for the help: N, SECONDS, FOLDER …
  std::string_view about;
  Field field;
  double least = 0;  ///< of a number
  double most = 0;

  [[nodiscard]] std::string flag() const;         ///< "--max-stations"
  [[nodiscard]] std::string variable() const;     ///< "RINGWAVE_MAX_STATIONS"
  [[nodiscard]] bool is_switch() const noexcept;  ///< it is on or off

  /// Its value as text; a list with commas. [setup]
  [[nodiscard]] std::string text_of(const ServerConfig& config) const;
  /// The same the other way round. Throws InvalidArgument that begins with `source`. [setup]
  void set(ServerConfig& config, const std::string& text, const std::string& source) const;
};

/// All of them, in the order of the help. [any]
[[nodiscard]] std::span<const Setting> settings() noexcept;

/// Takes what a TOML file says. Throws BadFile, naming file, line and key. [setup]
void read_file(ServerConfig& config, const std::filesystem::path& path);

/// Takes what the environment says. Throws InvalidArgument, naming the variable. [setup]
void read_environment(ServerConfig& config);

}  // namespace ringwave::server
