// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ringwave/stream/stream_url.hpp"

namespace ringwave::client {

/// Stations of a server, by its REST interface.
class StationDesk {
 public:
  struct Wish {
    std::string preset = {};  ///< empty: what the server takes without one
    std::optional<std::uint64_t> seed = {};
  };

  explicit StationDesk(stream::StreamUrl server) : server_(std::move(server)) {}

  /// Makes one; its identifier. Throws InvalidArgument for a wish that the server refuses, DeviceUnavailable
  /// where it is not reached, cannot, or answers what is no station. [setup]
  [[nodiscard]] std::string make(const Wish& wish) const;

  /// Removes one. False where that was not possible. [setup]
  bool remove(const std::string& id) const noexcept;

 private:
  stream::StreamUrl server_;
};

}  // namespace ringwave::client
