// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/buffer.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "apps/server/counters.hpp"
#include "apps/server/net.hpp"

namespace ringwave::server {

/// Bytes on their way out of a socket. Nearly always the system takes all of them at once, in one call for
/// many pieces and with nothing that waits; what it did not take is kept, and goes out when it can.
class Outflow {
 public:
  /// The socket outlives it; `sent` counts the bytes that the system takes. [server]
  Outflow(Socket& socket, Count& sent);

  /// Gives the pieces to the system, at most kMostPieces; false where the connection is broken. Nothing may
  /// be left of the last ones. [server]
  bool send(std::span<const asio::const_buffer> pieces);
  /// Waits until nothing is left; false where the connection is broken. [server]
  Task<bool> flush();

  /// That the system took of all that was sent this way. [server]
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool has_rest() const noexcept { return !rest_.empty(); }

  static constexpr std::size_t kMostPieces = 64;  ///< of one call to the system

 private:
  Socket& socket_;
  std::vector<std::byte> rest_;
  Count& sent_;
  std::uint64_t bytes_ = 0;
};

}  // namespace ringwave::server
