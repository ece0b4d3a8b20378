// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "apps/server/log.hpp"
#include "apps/server/net.hpp"
#include "apps/server/notify_socket.hpp"
#include "apps/server/shards.hpp"
#include "apps/server/watch.hpp"
#include "ringwave/stream/studio.hpp"

namespace ringwave::server {

/// Looks every second whether all of a server goes on: says what hangs, and to the service manager, as long
/// as nothing does, that the server lives. It is itself among what is watched.
class Supervision {
 public:
  /// All of them outlive it. Throws InvalidArgument where NOTIFY_SOCKET is no address. [setup]
  Supervision(asio::io_context& context, const Shards& shards, const stream::Studio& studio, const Log& log);

  /// Until the context stops. [server]
  Task<> run();
  /// The server serves; it takes nobody more. [server]
  void tell_ready() { tell("READY=1"); }
  void tell_stopping() { tell("STOPPING=1"); }

  [[nodiscard]] const Watch& watch() const noexcept { return watch_; }

 private:
  [[nodiscard]] std::vector<Watch::Loop> loops(const Shards& shards) const;
  void look();
  void tell(const char* state);

  asio::io_context& context_;
  const stream::Studio& studio_;
  const Log& log_;
  const NotifySocket manager_{notify_address()};
  const std::optional<std::chrono::microseconds> watchdog_ = watchdog_time();
  bool is_deaf_ = false;  // the manager
  TickStamp own_;
  TickStamp rendering_;
  const Watch watch_;
  std::uint64_t blocks_ = 0;          // that were rendered when it looked last
  std::vector<std::string> hanging_;  // then
};

}  // namespace ringwave::server
