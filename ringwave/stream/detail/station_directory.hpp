// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ringwave/stream/detail/published.hpp"
#include "ringwave/stream/station.hpp"

namespace ringwave::stream {

/// The stations that are known, by id: an immutable list, replaced when one comes or goes. Who looks one up
/// waits for nobody.
class StationDirectory {
 public:
  using StationPtr = std::shared_ptr<Station>;
  using Stations = std::vector<StationPtr>;

  /// Room for `most`; of two with one id the first stays. [setup]
  StationDirectory(std::size_t most, Stations stations);

  /// In the order of their ids. [any]
  [[nodiscard]] std::shared_ptr<const Stations> all() const { return stations_.get(); }
  /// Null where there is none. [any]
  [[nodiscard]] StationPtr find(std::string_view id) const;

  /// Throws Refusal: exists, limit_reached. [server]
  void add(const StationPtr& station);
  /// False where it is not known, or another by its id. [server]
  bool remove(const StationPtr& station);

 private:
  const std::size_t most_;
  std::mutex changing_;  // of add() against remove()
  Published<Stations> stations_;
};

}  // namespace ringwave::stream
