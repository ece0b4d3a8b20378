// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "apps/client/connection.hpp"
#include "apps/client/nuisance_counts.hpp"
#include "apps/client/socket_handle.hpp"
#include "apps/client/stream_opening.hpp"

namespace ringwave::client {

/// Clients as a server on the open Internet meets them: who take nothing, who send nonsense, who come and go.
class Nuisance {
 public:
  struct Spec {
    Endpoints endpoints;
    std::vector<StreamWish> wishes;  ///< of WebSockets, which they take in turn
    int silent = 0;                  ///< who connect and read nothing
    int garbage = 0;                 ///< who send what no server can want
    int reconnecting = 0;            ///< who come back every second
    int churn = 0;                   ///< who come, listen for two seconds and go: so many in all,
    double seconds = 1;              ///< spread over this time
  };

  /// Nothing happens before begin(). The context is run by one thread, and ends before this does. [setup]
  Nuisance(boost::asio::io_context& context, Spec spec) : context_(context), spec_(std::move(spec)) {}
  Nuisance(const Nuisance&) = delete;  // its coroutines hold its address
  Nuisance& operator=(const Nuisance&) = delete;

  void begin();
  /// Looks which of the silent ones are still there, and gives what happened. [setup]
  [[nodiscard]] NuisanceCounts finish();

 private:
  template <class Result>
  using Awaitable = boost::asio::awaitable<Result>;
  using Chance = std::minstd_rand;

  Awaitable<void> be_silent(std::size_t number);
  Awaitable<void> send_garbage(std::size_t number);
  Awaitable<void> send_garbage_once(Chance& chance);
  Awaitable<void> send_over_http(Chance& chance);
  Awaitable<void> send_over_socket(Chance& chance);
  Awaitable<void> reconnect(std::size_t number);
  Awaitable<void> churn();
  Awaitable<void> come_and_go(std::size_t number);
  Awaitable<void> listen_for_a_while(std::size_t number, std::chrono::milliseconds time, bool is_polite,
                                     std::uint64_t& counter);
  [[nodiscard]] const StreamWish& wish(std::size_t number) const {
    return spec_.wishes[number % spec_.wishes.size()];
  }

  boost::asio::io_context& context_;
  Spec spec_;
  NuisanceCounts counts_;
  std::vector<SocketHandle> silent_;
};

}  // namespace ringwave::client
