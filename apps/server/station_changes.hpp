// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/server/preset_shelf.hpp"
#include "ringwave/stream/studio.hpp"

namespace ringwave::server {

/// What REST and WebSocket change of stations, one after another: of two who change different settings at the
/// same moment, both are heeded.
class StationChanges {
 public:
  StationChanges(stream::Studio& studio, const PresetShelf& presets) : studio_(studio), presets_(presets) {}

  /// A new station from {"id"?, "preset"?, "settings"?, "seed"?}. Throws Refusal. [server]
  stream::StationInfo create(const nlohmann::json& wish);
  /// The settings of a preset, if there is one, with those given in their place. Throws Refusal. [server]
  stream::StationInfo change(const std::string& id, const nlohmann::json& wish);
  /// Those given alone. [server]
  stream::StationInfo set(const std::string& id, const nlohmann::json& settings);
  /// [server]
  stream::StationInfo choose(const std::string& id, const std::string& preset);

  /// {"preset"?, "settings"?} as a preset, whose name is empty where the settings are not its own; without a
  /// preset from `base`. Throws Refusal. [server]
  [[nodiscard]] music::Preset preset_from(const nlohmann::json& wish, const music::Preset& base) const;

 private:
  stream::Studio& studio_;
  const PresetShelf& presets_;
  std::mutex mutex_;
};

/// Throws Refusal: unknown_member for one that is not among those. [server]
void require_members(const nlohmann::json& object, std::initializer_list<std::string_view> known);

}  // namespace ringwave::server
