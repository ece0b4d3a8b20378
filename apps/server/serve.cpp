// SPDX-License-Identifier: Apache-2.0
#include "apps/server/serve.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "apps/server/http_connection.hpp"
#include "apps/server/plain_stream.hpp"
#include "apps/server/web_socket.hpp"

namespace ringwave::server {
namespace {

// Each of these is a coroutine of its own, so that what one life needed is freed before the next begins.

Task<std::optional<Handover>> speak_http(Shard& shard, Services& services, Office& office, Socket socket,
                                         ConnectionSlot slot) {
  HttpConnection connection(shard, services, office, std::move(socket), std::move(slot));
  co_return co_await connection.run();
}

Task<std::uint64_t> play(Shard& shard, Services& services, Handover handover) {
  PlainStream stream(shard, services, std::move(handover));
  co_await stream.run();
  co_return stream.bytes_sent();
}

Task<std::uint64_t> converse(Shard& shard, Services& services, Handover handover) {
  const auto listener = std::make_shared<WebSocket>(shard, services, std::move(handover));
  co_await WebSocket::run(listener);
  co_return listener->bytes_sent();
}

}  // namespace

Task<> serve(Shard& shard, Services& services, Office& office, Socket socket, ConnectionSlot slot) {
  shard.counters().connections.add();
  std::optional<Handover> handover =
      co_await speak_http(shard, services, office, std::move(socket), std::move(slot));
  if (!handover) co_return;
  AccessEntry entry = AccessEntry::of(handover->request, std::chrono::system_clock::now());
  const auto began = std::chrono::steady_clock::now();
  const bool is_player = handover->kind == RouteKind::plain_stream;
  entry.status = is_player ? 200 : 101;
  if (is_player)
    entry.bytes = co_await play(shard, services, std::move(*handover));
  else
    entry.bytes = co_await converse(shard, services, std::move(*handover));
  entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  services.access_log.add(entry);
}

}  // namespace ringwave::server
