// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/detail/station_directory.hpp"

#include <algorithm>
#include <utility>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::stream {
namespace {

using Stations = StationDirectory::Stations;

std::string_view id_of(const StationDirectory::StationPtr& station) {
  return station->id();
}

std::shared_ptr<const Stations> sorted(Stations stations) {
  std::ranges::stable_sort(stations, {}, id_of);
  const auto is_same = [](const auto& one, const auto& other) { return one->id() == other->id(); };
  stations.erase(std::unique(stations.begin(), stations.end(), is_same), stations.end());
  return std::make_shared<const Stations>(std::move(stations));
}

/// Where an id is, or would be.
Stations::const_iterator place_of(const Stations& stations, std::string_view id) {
  return std::ranges::lower_bound(stations, id, {}, id_of);
}

bool is_there(const Stations& stations, Stations::const_iterator at, std::string_view id) {
  return at != stations.end() && id_of(*at) == id;
}

}  // namespace

StationDirectory::StationDirectory(std::size_t most, Stations stations)
    : most_(most), stations_(sorted(std::move(stations))) {}

StationDirectory::StationPtr StationDirectory::find(std::string_view id) const {
  const auto stations = all();
  const auto at = place_of(*stations, id);
  return is_there(*stations, at, id) ? *at : nullptr;
}

void StationDirectory::add(const StationPtr& station) {
  const std::lock_guard lock(changing_);
  const auto stations = all();
  const auto at = place_of(*stations, station->id());
  if (is_there(*stations, at, station->id()))
    throw Refusal(RefusalCode::exists, "there is a station '" + station->id() + "' already");
  if (stations->size() >= most_)
    throw Refusal(RefusalCode::limit_reached, "there are " + std::to_string(stations->size()) +
                                                  " stations, as many as there may be; delete one first");
  auto more = std::make_shared<Stations>();
  more->reserve(stations->size() + 1);
  more->assign(stations->begin(), at);
  more->push_back(station);
  more->insert(more->end(), at, stations->end());
  stations_.set(std::move(more));
}

bool StationDirectory::remove(const StationPtr& station) {
  const std::lock_guard lock(changing_);
  const auto stations = all();
  const auto at = place_of(*stations, station->id());
  if (at == stations->end() || *at != station) return false;
  auto fewer = std::make_shared<Stations>(*stations);
  fewer->erase(fewer->begin() + (at - stations->begin()));
  stations_.set(std::move(fewer));
  return true;
}

}  // namespace ringwave::stream
