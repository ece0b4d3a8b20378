// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "ringwave/music/preset.hpp"

namespace ringwave::server {

/// The presets that are built in, and those that users saved: each a TOML file in a folder. A file that
/// cannot be read is reported, and stays where it is.
class PresetShelf {
 public:
  static constexpr std::size_t kMostSaved = 1000;

  /// Makes the folder where there is none. Throws BadFile. [setup]
  PresetShelf(std::filesystem::path folder, const std::function<void(const std::string&)>& report);

  struct Entry {
    music::Preset preset;
    bool is_built_in = false;
  };

  /// The built-in ones first, then by name. [any]
  [[nodiscard]] std::vector<Entry> list() const;
  /// Throws Refusal: not_found. [any]
  [[nodiscard]] Entry find(const std::string& name) const;
  /// Throws Refusal: out_of_range for a name that is none, forbidden for one that is built in, limit_reached;
  /// BadFile. [server]
  void save(const music::Preset& preset);
  /// Throws Refusal: not_found, forbidden; BadFile. [server]
  void remove(const std::string& name);

 private:
  [[nodiscard]] std::filesystem::path path_of(const std::string& name) const {
    return folder_ / (name + ".toml");
  }

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::map<std::string, music::Settings> saved_;
};

/// 1 to 32 letters, digits, - and _. [any]
[[nodiscard]] bool is_preset_name(const std::string& name) noexcept;

}  // namespace ringwave::server
