// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "apps/server/connection_slot.hpp"
#include "apps/server/http_words.hpp"
#include "apps/server/routes.hpp"
#include "ringwave/io/stream_format.hpp"
#include "ringwave/stream/listener.hpp"

namespace ringwave::server {

/// Who has come to listen: the station, the format, and a place in the broadcast.
struct Audience {
  std::string station;
  io::StreamFormat format{};
  std::unique_ptr<stream::Listener> listener;  ///< none where only the head of the answer is wanted
};

/// What a connection of HTTP leaves behind when it becomes a stream.
struct Handover {
  RouteKind kind;
  Socket socket;
  ConnectionSlot slot;
  HttpRequest head;
  Request request;
  Audience audience;
};

/// Takes a place for who asks for `/stream/{id}.{ending}` or `/ws/stations/{id}?codec=`. Throws Refusal.
/// [server]
[[nodiscard]] Audience admit(Services& services, const Route& route, const Request& request);

}  // namespace ringwave::server
