// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>

#include "apps/server/config.hpp"
#include "apps/server/connection_slot.hpp"
#include "apps/server/counters.hpp"
#include "apps/server/net.hpp"
#include "apps/server/shards.hpp"

namespace ringwave::server {

/// Takes connections in, as many as there may be, and deals them out to the shards.
class Acceptor {
 public:
  using Take = std::function<void(Shard&, Socket, ConnectionSlot)>;

  /// Listens at the configured address. Throws InvalidArgument where that cannot be. [setup]
  Acceptor(asio::io_context& context, const ServerConfig& config);

  /// Until close(). [server]
  Task<> run(Shards& shards, AddressLimits& limits, Descriptors& descriptors, std::atomic<int>& open,
             Take take);
  void close();

  [[nodiscard]] int port() const noexcept { return port_; }
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                           asio::wait_traits<std::chrono::steady_clock>, Executor>;
  /// Says that there is no room, to somebody who may read it or not.
  void send_away(Socket socket);

  asio::basic_socket_acceptor<tcp, Executor> acceptor_;
  Timer pause_;
  int most_;
  int port_ = 0;
  Counters counters_;
};

}  // namespace ringwave::server
