// SPDX-License-Identifier: Apache-2.0
#include "apps/server/acceptor.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <optional>
#include <string>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

constexpr std::chrono::milliseconds kPause{100};

Address address_of(const tcp::endpoint& peer) {
  Address::Bytes bytes{};
  if (peer.address().is_v6()) return Address(peer.address().to_v6().to_bytes());
  const auto v4 = peer.address().to_v4().to_bytes();
  bytes[10] = bytes[11] = 0xff;
  std::ranges::copy(v4, bytes.begin() + 12);
  return Address(bytes);
}

/// The connection, with its shard's context from now on; nothing where the system has no room for it.
std::optional<Socket> moved(Socket accepted, const tcp& protocol, Shard& shard) {
  error_code error;
  const int handle = accepted.release(error);
  Socket socket(shard.context());
  if (!error) socket.assign(protocol, handle, error);
  if (error && handle >= 0) ::close(handle);
  return error ? std::nullopt : std::optional(std::move(socket));
}

}  // namespace

Acceptor::Acceptor(asio::io_context& context, const ServerConfig& config)
    : acceptor_(context), pause_(context.get_executor()), most_(config.max_connections) {
  try {
    const tcp::endpoint place(asio::ip::make_address(config.host),
                              static_cast<asio::ip::port_type>(config.port));
    acceptor_.open(place.protocol());
    acceptor_.set_option(asio::socket_base::reuse_address(true));
    if (place.address().is_v6()) acceptor_.set_option(asio::ip::v6_only(false));
    acceptor_.bind(place);
    acceptor_.listen();
    port_ = acceptor_.local_endpoint().port();
  } catch (const boost::system::system_error& error) {
    throw InvalidArgument("port " + std::to_string(config.port) + " of " + config.host +
                          " cannot be listened at: " + error.code().message() +
                          "; choose another with --port, or --port 0 for any that is free");
  }
}

Task<> Acceptor::run(Shards& shards, AddressLimits& limits, Descriptors& descriptors, std::atomic<int>& open,
                     Take take) {
  while (true) {
    auto [error, accepted] = co_await acceptor_.async_accept(as_result);
    if (!acceptor_.is_open()) co_return;
    if (error) {  // no more descriptors, most likely: they come back
      pause_.expires_after(kPause);
      (void)co_await pause_.async_wait(as_result);
      continue;
    }
    error_code gone;
    const tcp::endpoint peer = accepted.remote_endpoint(gone);
    if (gone) continue;
    const Address address = address_of(peer);
    auto descriptor = descriptors.take();
    if (!descriptor || open.load() >= most_ || !limits.enter(address)) {
      send_away(std::move(accepted));
      continue;
    }
    ++open;
    ConnectionSlot slot(open, limits, address, std::move(*descriptor));
    Shard& shard = shards.next();
    if (auto socket = moved(std::move(accepted), peer.protocol(), shard))
      take(shard, std::move(*socket), std::move(slot));
  }
}

void Acceptor::close() {
  error_code ignored;
  acceptor_.close(ignored);
}

void Acceptor::send_away(Socket socket) {
  static constexpr std::string_view kNoRoom =
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 5\r\nConnection: "
      "close\r\n"
      "Content-Length: 93\r\n\r\n"
      R"({"error":{"code":"limit_reached","message":"there are as many connections as there may be"}})"
      "\n";
  counters_.refuse(stream::RefusalCode::limit_reached);
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(kNoRoom), ignored);
  socket.shutdown(Socket::shutdown_send, ignored);
}

}  // namespace ringwave::server
