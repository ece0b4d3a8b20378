// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "apps/server/address.hpp"
#include "apps/server/preset_shelf.hpp"
#include "apps/server/rights.hpp"
#include "ringwave/stream/studio.hpp"

namespace ringwave::server {

/// What REST and WebSocket change of stations, one after another: of two who change different settings at the
/// same moment, both are heeded. A station is changed by who shows its secret, and by administrators.
class StationChanges {
 public:
  struct Spec {
    std::string reserved{};        ///< the identifier of the station that goes to Icecast
    int most_of_an_address = 100;  ///< stations
    bool hold_loopback = false;    ///< to that number, too
  };

  StationChanges(stream::Studio& studio, const PresetShelf& presets, Spec spec)
      : studio_(studio), presets_(presets), spec_(std::move(spec)) {}

  /// Who made a station is told its secret, this once.
  struct Made {
    stream::StationInfo station;
    std::string secret;
  };
  /// A new station from {"id"?, "preset"?, "settings"?, "seed"?}. Throws Refusal: also forbidden for the
  /// reserved one, and limit_reached for an address that has as many as it may. [server]
  Made create(const nlohmann::json& wish, const Rights& rights, const Address& address);
  /// The settings of a preset, if there is one, with those given in their place. Throws Refusal: forbidden
  /// for another's station, and others. [server]
  stream::StationInfo change(const std::string& id, const nlohmann::json& wish, const Rights& rights);
  /// Throws Refusal: not_found, forbidden. [server]
  void remove(const std::string& id, const Rights& rights);

  /// {"preset"?, "settings"?} as a preset, whose name is empty where the settings are not its own; without a
  /// preset from `base`. Throws Refusal. [server]
  [[nodiscard]] music::Preset preset_from(const nlohmann::json& wish, const music::Preset& base) const;

 private:
  void require_room(const Address& address) const;

  stream::Studio& studio_;
  const PresetShelf& presets_;
  Spec spec_;
  std::mutex mutex_;
};

/// Throws Refusal: unknown_member for one that is not among those. [server]
void require_members(const nlohmann::json& object, std::initializer_list<std::string_view> known);

}  // namespace ringwave::server
