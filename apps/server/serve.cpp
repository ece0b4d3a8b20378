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

Task<> play(Shard& shard, Services& services, Handover handover) {
  PlainStream stream(shard, services, std::move(handover));
  co_await stream.run();
}

}  // namespace

Task<> serve(Shard& shard, Services& services, Office& office, Socket socket, ConnectionSlot slot) {
  shard.counters().connections.add();
  std::optional<Handover> handover =
      co_await speak_http(shard, services, office, std::move(socket), std::move(slot));
  if (!handover) co_return;
  if (handover->kind == RouteKind::plain_stream) {
    co_await play(shard, services, std::move(*handover));
  } else {
    auto listener = std::make_shared<WebSocket>(shard, services, std::move(*handover));
    co_await WebSocket::run(std::move(listener));
  }
}

}  // namespace ringwave::server
