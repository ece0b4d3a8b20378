// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <utility>
#include <vector>

#include "apps/server/net.hpp"

namespace ringwave::server {

/// A socket that two write to: Beast, which answers pings and closes, and we, who send sound past it, many
/// frames at once. Neither may begin while a frame of the other is half written: we look at is_busy(), and
/// Beast waits at the gate while we hold it.
class WriteGate {
 public:
  using executor_type = Executor;
  using Bytes = std::size_t;

  explicit WriteGate(Socket socket) : socket_(std::move(socket)) {}

  [[nodiscard]] Socket& socket() noexcept { return socket_; }
  [[nodiscard]] executor_type get_executor() { return socket_.get_executor(); }

  /// A frame of Beast's is on its way. [server]
  [[nodiscard]] bool is_busy() const noexcept { return is_busy_; }
  /// From here to release() Beast begins nothing. [server]
  void hold() noexcept { is_held_ = true; }
  void release() {
    is_held_ = false;
    Waiting waiting;
    waiting.swap(waiting_);
    if (waiting) std::move(waiting)();
  }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return socket_.async_read_some(buffers, std::forward<Token>(token));
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(error_code, Bytes)>(
        [this](auto handler, const Buffers& given) {
          is_busy_ = true;
          auto start = [this, handler = std::move(handler), given]() mutable {
            write(given, std::move(handler));
          };
          if (is_held_)
            Waiting(std::move(start)).swap(waiting_);
          else
            start();
        },
        token, buffers);
  }

 private:
  using Waiting = asio::any_completion_handler<void()>;

  template <class Buffers, class Handler>
  void write(const Buffers& buffers, Handler handler) {
    const Bytes asked = asio::buffer_size(buffers);
    socket_.async_write_some(
        buffers, [this, asked, handler = std::move(handler)](error_code error, Bytes bytes) mutable {
          is_busy_ = !error && bytes < asked;  // the rest follows
          std::move(handler)(error, bytes);
        });
  }

  Socket socket_;
  Waiting waiting_;
  bool is_busy_ = false;
  bool is_held_ = false;
};

/// How Beast ends the connection below a WebSocket. [server]
inline void teardown(boost::beast::role_type role, WriteGate& gate, error_code& error) {
  boost::beast::websocket::teardown(role, gate.socket(), error);
}
template <class Handler>
void async_teardown(boost::beast::role_type role, WriteGate& gate, Handler&& handler) {
  boost::beast::websocket::async_teardown(role, gate.socket(), std::forward<Handler>(handler));
}
inline void beast_close_socket(WriteGate& gate) {
  error_code ignored;
  gate.socket().close(ignored);
}

}  // namespace ringwave::server
