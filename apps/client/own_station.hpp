// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "ringwave/stream/stream_url.hpp"

namespace ringwave::client {

/// A station of a server that is made, by its REST interface, and is there as long as this is.
class OwnStation {
 public:
  struct Wish {
    std::string preset = {};  ///< empty: what the server takes without one
    std::optional<std::uint64_t> seed = {};
  };

  /// Throws InvalidArgument for a wish that the server refuses, DeviceUnavailable where it is not reached,
  /// cannot, or answers what is no station. [setup]
  OwnStation(stream::StreamUrl server, const Wish& wish);
  /// Removes it, if the server is still there. [setup]
  ~OwnStation();
  OwnStation(OwnStation&& from) noexcept
      : server_(std::move(from.server_)),
        id_(std::exchange(from.id_, {})),
        secret_(std::move(from.secret_)) {}
  OwnStation& operator=(OwnStation&&) = delete;  // it is removed once

  [[nodiscard]] const std::string& id() const noexcept { return id_; }

 private:
  stream::StreamUrl server_;
  std::string id_;  // empty: it is no longer this one's
  std::string secret_;
};

}  // namespace ringwave::client
