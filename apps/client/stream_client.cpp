// SPDX-License-Identifier: Apache-2.0
#include "apps/client/stream_client.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <exception>
#include <utility>

#include "apps/client/connection.hpp"
#include "apps/client/http_request.hpp"
#include "apps/client/server_message.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Socket = websocket::stream<beast::tcp_stream>;

constexpr std::chrono::milliseconds kLeastPause{100};
constexpr std::chrono::milliseconds kMostPause{5000};
constexpr std::chrono::seconds kSilence{10};  // after which a connection is taken for dead
constexpr std::chrono::seconds kReportEvery{3};
constexpr std::size_t kMostMessageBytes = 1 << 20;

/// How a connection ended that had been made.
struct Ending {
  std::string reason;
  bool was_heard = false;  // it had brought sound
};

/// Refused for good, or only now.
[[noreturn]] void refuse(const std::string& station, const websocket::response_type& response) {
  const HttpAnswer answer{.status = response.result_int(), .body = response.body()};
  const std::string sentence =
      "the server does not let us listen to station " + station + ": " + sentence_of(answer);
  constexpr unsigned kTooMany = 429;
  if (answer.status >= 400 && answer.status < 500 && answer.status != kTooMany)
    throw InvalidArgument(sentence);
  throw DeviceUnavailable(sentence);
}

std::string goodbye_of(const Socket& socket, const boost::system::error_code& error) {
  if (error != websocket::error::closed) return reason_of(error);
  const auto& reason = socket.reason();
  return "the server closed it with " + std::to_string(reason.code) +
         (reason.reason.empty() ? "" : " (" + printable({reason.reason.data(), reason.reason.size()}) + ")");
}

}  // namespace

class StreamClient::Session {
 public:
  Session(Spec spec, StreamEvents& events) : spec_(std::move(spec)), events_(events) {
    asio::co_spawn(context_, run(), [this](const std::exception_ptr& error) {
      error_ = error;
      over_ = true;
    });
  }

  void run_for(std::chrono::milliseconds time) {
    context_.run_for(time);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  [[nodiscard]] bool is_over() const noexcept { return over_; }

  void stop() {
    stopping_ = true;
    pause_.cancel();
  }

 private:
  asio::awaitable<void> run() {
    bool was_there = false;
    std::chrono::milliseconds pause = kLeastPause;
    while (!stopping_) {
      Ending ending;
      std::exception_ptr unreached;
      try {
        ending = co_await listen();
        was_there = true;
      } catch (const DeviceUnavailable& reason) {
        ending.reason = reason.what();
        unreached = std::current_exception();
      }
      if (stopping_) co_return;
      if (unreached && (!was_there || !spec_.reconnects)) std::rethrow_exception(unreached);
      if (!spec_.reconnects) throw DeviceUnavailable("the connection was lost: " + ending.reason);
      if (ending.was_heard) pause = kLeastPause;
      if (pause == kLeastPause) events_.say("the connection was lost: " + ending.reason + "; trying again");
      boost::system::error_code cancelled;
      pause_.expires_after(pause);
      co_await pause_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
      pause = std::min(2 * pause, kMostPause);
    }
  }

  asio::awaitable<Ending> listen() {
    events_.connecting();
    Socket socket(co_await asio::this_coro::executor);
    co_await shake_hands(socket);
    Ending ending;
    beast::flat_buffer buffer;
    auto next_report = std::chrono::steady_clock::now() + kReportEvery;
    boost::system::error_code error;
    while (!stopping_) {
      buffer.clear();
      co_await socket.async_read(buffer, asio::redirect_error(asio::use_awaitable, error));
      if (error) break;
      const auto now = std::chrono::steady_clock::now();
      ending.was_heard |=
          take({static_cast<const std::byte*>(buffer.cdata().data()), buffer.size()}, socket.got_text(), now);
      if (now < next_report) continue;
      next_report = now + kReportEvery;
      socket.text(true);
      const std::string report = report_text(events_.report());
      co_await socket.async_write(asio::buffer(report), asio::redirect_error(asio::use_awaitable, error));
      if (error) break;
    }
    if (error)
      ending.reason = goodbye_of(socket, error);
    else
      co_await socket.async_close(websocket::close_code::normal,
                                  asio::redirect_error(asio::use_awaitable, error));
    co_return ending;
  }

  asio::awaitable<void> shake_hands(Socket& socket) {
    const std::string authority = spec_.station.authority();
    const Endpoints endpoints = co_await find(spec_.station);
    co_await connect(beast::get_lowest_layer(socket), endpoints, authority);
    beast::get_lowest_layer(socket).expires_never();  // from here on the WebSocket has limits of its own
    websocket::stream_base::timeout limits{};
    limits.handshake_timeout = kAnswerWithin;
    limits.idle_timeout = kSilence;
    limits.keep_alive_pings = true;
    socket.set_option(limits);
    socket.set_option(websocket::stream_base::decorator([this](websocket::request_type& request) {
      request.set(http::field::user_agent, user_agent());
      if (!spec_.station.token.empty())
        request.set(http::field::authorization, "Bearer " + spec_.station.token);
    }));
    socket.read_message_max(kMostMessageBytes);
    websocket::response_type response;
    boost::system::error_code error;
    const std::string target = spec_.station.socket_target(spec_.codec);
    co_await socket.async_handshake(response, authority, target,
                                    asio::redirect_error(asio::use_awaitable, error));
    if (error == websocket::error::upgrade_declined) refuse(spec_.station.station, response);
    if (error)
      throw DeviceUnavailable("the server at " + authority + " gives no WebSocket: " + reason_of(error));
  }

  /// True for sound.
  bool take(std::span<const std::byte> message, bool is_text, StreamEvents::Time now) {
    if (is_text) {
      take_server_message({reinterpret_cast<const char*>(message.data()), message.size()}, events_);
      return false;
    }
    const auto header = stream::FrameHeader::parse(message);
    if (!header || header->codec != spec_.codec)
      throw DeviceUnavailable("the server at " + spec_.station.authority() +
                              " sends audio of a kind that was not asked for; is it of another version?");
    events_.frame(*header, message.subspan(stream::FrameHeader::kBytes), now);
    return true;
  }

  Spec spec_;
  StreamEvents& events_;
  std::exception_ptr error_;
  bool over_ = false;
  bool stopping_ = false;
  asio::io_context context_{1};  // its end ends the coroutine, which uses what is above
  asio::steady_timer pause_{context_};
};

StreamClient::StreamClient(Spec spec, StreamEvents& events)
    : session_(std::make_unique<Session>(std::move(spec), events)) {}

StreamClient::~StreamClient() = default;

void StreamClient::run_for(std::chrono::milliseconds time) {
  session_->run_for(time);
}

bool StreamClient::is_over() const noexcept {
  return session_->is_over();
}

void StreamClient::stop() {
  session_->stop();
}

}  // namespace ringwave::client
