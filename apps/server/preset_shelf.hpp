// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "apps/server/rights.hpp"
#include "ringwave/music/preset.hpp"

namespace ringwave::server {

/// The presets that are built in, and those that users saved: each a TOML file in a folder, and beside it
/// NAME.owner, with the hash of the secret that its owner knows. One without that is nobody's: administrators
/// alone replace and remove it. A file that cannot be read is reported, and stays where it is.
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
  /// The secret of one that is new; nothing for one that is replaced, whose secret stays. Throws Refusal:
  /// out_of_range for a name that is none, forbidden for one that is built in or another's, limit_reached;
  /// BadFile. [server]
  std::string save(const music::Preset& preset, const Rights& rights);
  /// Throws Refusal: not_found, forbidden; BadFile. [server]
  void remove(const std::string& name, const Rights& rights);

 private:
  [[nodiscard]] std::filesystem::path path_of(const std::string& name) const {
    return folder_ / (name + ".toml");
  }
  [[nodiscard]] std::filesystem::path owner_path_of(const std::string& name) const {
    return folder_ / (name + ".owner");
  }
  void write(const music::Preset& preset) const;

  struct Saved {
    music::Settings settings{};
    std::string owner{};  ///< the hash of a secret; empty: nobody's
  };

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::map<std::string, Saved> saved_;
};

/// 1 to 32 letters, digits, - and _. [any]
[[nodiscard]] bool is_preset_name(const std::string& name) noexcept;

}  // namespace ringwave::server
