// SPDX-License-Identifier: Apache-2.0
#include "apps/server/station_changes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ringwave/core/sha256.hpp"
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

void StationChanges::require_room(const Address& address) const {
  if (address.is_loopback() && !spec_.hold_loopback) return;
  const std::string maker = address.limited().text();
  const std::vector<StationInfo> all = studio_.list();
  const auto made =
      std::ranges::count_if(all, [&](const auto& station) { return station.owner.address == maker; });
  if (made >= spec_.most_of_an_address)
    throw Refusal(RefusalCode::limit_reached, "this address has made " + std::to_string(made) +
                                                  " stations, as many as one may; delete one first");
}

StationChanges::Made StationChanges::create(const json& wish, const Rights& rights, const Address& address) {
  require_members(wish, {"id", "preset", "settings", "seed"});
  stream::Studio::NewStation station;
  const music::Preset preset = preset_from(wish, music::built_in_presets().front());
  station.preset = preset.name;
  station.settings = preset.settings;
  if (const auto id = wish.find("id"); id != wish.end()) {
    station.id = stream::text_from(*id, "id");
    if (station.id.empty())
      throw Refusal(RefusalCode::out_of_range, "id is empty; leave it out to get a random one");
    if (station.id == spec_.reserved && !rights.is_administrator && !rights.is_local)
      throw Refusal(RefusalCode::forbidden,
                    "the station '" + station.id + "' is kept for the feed to Icecast; use another id");
  }
  if (const auto seed = wish.find("seed"); seed != wish.end()) station.seed = stream::seed_from(*seed);
  std::string secret = make_secret();
  station.owner = {.secret_hash = sha256_hex(secret),
                   .address = rights.is_administrator ? "" : address.limited().text(),
                   .is_kept = rights.is_administrator || rights.is_local};
  const std::lock_guard lock(mutex_);
  if (!rights.is_administrator) require_room(address);
  return {studio_.create(station), std::move(secret)};
}

StationInfo StationChanges::change(const std::string& id, const json& wish, const Rights& rights) {
  require_members(wish, {"preset", "settings"});
  const std::lock_guard lock(mutex_);
  const StationInfo now = studio_.find(id);
  rights.require_to_own(now.owner.secret_hash, "station " + id);
  const music::Preset preset = preset_from(wish, {now.preset, now.settings});
  return studio_.change(id, preset.settings, preset.name);
}

void StationChanges::remove(const std::string& id, const Rights& rights) {
  const std::lock_guard lock(mutex_);
  rights.require_to_own(studio_.find(id).owner.secret_hash, "station " + id);
  studio_.remove(id);
}

}  // namespace ringwave::server
