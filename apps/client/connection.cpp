// SPDX-License-Identifier: Apache-2.0
#include "apps/client/connection.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/error.hpp>

#include "ringwave/core/error.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::client {

namespace asio = boost::asio;
namespace beast = boost::beast;

asio::awaitable<Endpoints> find(const stream::StreamUrl& server) {
  asio::ip::tcp::resolver resolver(co_await asio::this_coro::executor);
  boost::system::error_code error;
  Endpoints found = co_await resolver.async_resolve(server.host, std::to_string(server.port),
                                                    asio::redirect_error(asio::use_awaitable, error));
  if (error) throw DeviceUnavailable("no machine is known as " + server.host + ": " + reason_of(error));
  co_return found;
}

asio::awaitable<void> connect(beast::tcp_stream& stream, const Endpoints& endpoints,
                              const std::string& authority) {
  boost::system::error_code error;
  stream.expires_after(kAnswerWithin);
  co_await stream.async_connect(endpoints, asio::redirect_error(asio::use_awaitable, error));
  if (error)
    throw DeviceUnavailable("no server answers at " + authority + ": " + reason_of(error) +
                            "; 'ringwave serve' starts one");
  stream.socket().set_option(asio::ip::tcp::no_delay(true), error);
}

const char* user_agent() noexcept {
  static const std::string text = std::string("ringwave/") + kVersion;
  return text.c_str();
}

std::string reason_of(const boost::system::error_code& error) {
  if (error == beast::error::timeout) return "it took too long";
  std::string text = error.message();
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z')
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

}  // namespace ringwave::client
