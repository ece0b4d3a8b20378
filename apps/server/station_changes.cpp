// SPDX-License-Identifier: Apache-2.0
#include "apps/server/station_changes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/settings_json.hpp"

namespace ringwave::server {

using nlohmann::json;
using stream::Refusal;
using stream::RefusalCode;
using stream::StationInfo;

void require_members(const json& object, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : object.items())
    if (std::ranges::find(known, name) == known.end())
      throw Refusal(RefusalCode::unknown_member, "there is no member '" + name.substr(0, 64) + "' here");
}

music::Preset StationChanges::preset_from(const json& wish, const music::Preset& base) const {
  music::Preset made = base;
  if (const auto preset = wish.find("preset"); preset != wish.end()) {
    const std::string name = stream::text_from(*preset, "preset");
    try {
      made = presets_.find(name).preset;
    } catch (const Refusal& refusal) {
      throw Refusal(RefusalCode::unknown_name, refusal.what());
    }
  }
  if (const auto settings = wish.find("settings"); settings != wish.end()) {
    const music::Settings changed = stream::settings_from(*settings, made.settings);
    if (changed != made.settings) made.name.clear();
    made.settings = changed;
  }
  return made;
}

StationInfo StationChanges::create(const json& wish) {
  require_members(wish, {"id", "preset", "settings", "seed"});
  stream::Studio::NewStation station;
  const music::Preset preset = preset_from(wish, music::built_in_presets().front());
  station.preset = preset.name;
  station.settings = preset.settings;
  if (const auto id = wish.find("id"); id != wish.end()) {
    station.id = stream::text_from(*id, "id");
    if (station.id.empty())
      throw Refusal(RefusalCode::out_of_range, "id is empty; leave it out to get a random one");
  }
  if (const auto seed = wish.find("seed"); seed != wish.end()) station.seed = stream::seed_from(*seed);
  return studio_.create(station);
}

StationInfo StationChanges::change(const std::string& id, const json& wish) {
  require_members(wish, {"preset", "settings"});
  const std::lock_guard lock(mutex_);
  const StationInfo now = studio_.find(id);
  const music::Preset preset = preset_from(wish, {now.preset, now.settings});
  return studio_.change(id, preset.settings, preset.name);
}

StationInfo StationChanges::set(const std::string& id, const json& settings) {
  return change(id, {{"settings", settings}});
}

StationInfo StationChanges::choose(const std::string& id, const std::string& preset) {
  return change(id, {{"preset", preset}});
}

}  // namespace ringwave::server
