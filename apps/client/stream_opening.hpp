// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/client/connection.hpp"

namespace ringwave::client {

/// A stream that a server has agreed to: what comes now is WebSocket frames, or the bytes of a file without
/// end.
struct OpenStream {
  boost::asio::ip::tcp::socket socket;
  std::vector<std::byte> first;  ///< what came with the agreement
};

struct StreamWish {
  std::string authority;
  std::string target;
  std::string token = {};
  bool is_socket = true;                  ///< else plain HTTP
  std::optional<int> receive_bytes = {};  ///< of the kernel's buffer
};

/// Connects and asks. The head of the answer is read by Beast and the socket then given away, to be read in
/// whatever way is cheapest. That a WebSocket's key was understood is not checked: this is for thousands of
/// listeners of one's own server. Throws DeviceUnavailable with the reason.
[[nodiscard]] boost::asio::awaitable<OpenStream> open_stream(Endpoints endpoints, StreamWish wish);

}  // namespace ringwave::client
