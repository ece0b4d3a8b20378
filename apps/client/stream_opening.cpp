// SPDX-License-Identifier: Apache-2.0
#include "apps/client/stream_opening.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Request = http::request<http::empty_body>;

/// A plain stream is asked for by HTTP 1.0, whose answers are never cut into chunks.
Request request_of(const StreamWish& wish) {
  Request request(http::verb::get, wish.target, wish.is_socket ? 11 : 10);
  request.set(http::field::host, wish.authority);
  request.set(http::field::user_agent, user_agent());
  if (!wish.token.empty()) request.set(http::field::authorization, "Bearer " + wish.token);
  if (wish.is_socket) {
    request.set(http::field::upgrade, "websocket");
    request.set(http::field::connection, "Upgrade");
    request.set(http::field::sec_websocket_version, "13");
    request.set(http::field::sec_websocket_key, "cmluZ3dhdmUtbGlzdGVuZQ==");  // any sixteen bytes
  }
  return request;
}

std::vector<std::byte> bytes_of(const beast::flat_buffer& buffer) {
  const auto* data = static_cast<const std::byte*>(buffer.cdata().data());
  return {data, data + buffer.size()};
}

}  // namespace

asio::awaitable<OpenStream> open_stream(Endpoints endpoints, StreamWish wish) {
  beast::tcp_stream stream(co_await asio::this_coro::executor);
  boost::system::error_code error;
  co_await connect(stream, endpoints, wish.authority);
  if (wish.receive_bytes)
    stream.socket().set_option(asio::socket_base::receive_buffer_size(*wish.receive_bytes), error);
  const Request request = request_of(wish);
  http::response_parser<http::empty_body> parser;
  beast::flat_buffer buffer;
  if (!error) co_await http::async_write(stream, request, asio::redirect_error(asio::use_awaitable, error));
  if (!error)
    co_await http::async_read_header(stream, buffer, parser,
                                     asio::redirect_error(asio::use_awaitable, error));
  if (error) throw DeviceUnavailable("the server did not answer to a listener: " + reason_of(error));
  const auto wanted = wish.is_socket ? http::status::switching_protocols : http::status::ok;
  if (parser.get().result() != wanted || parser.chunked())
    throw DeviceUnavailable("the server answered " + wish.target + " with HTTP status " +
                            std::to_string(parser.get().result_int()) +
                            (parser.chunked() ? " and in chunks" : ""));
  OpenStream opened{.socket = stream.release_socket(), .first = bytes_of(buffer)};
  co_return opened;
}

}  // namespace ringwave::client
