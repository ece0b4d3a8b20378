// SPDX-License-Identifier: Apache-2.0
#include "apps/client/nuisance.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <span>
#include <thread>
#include <utility>

#include "apps/client/garbage.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/stream/websocket_parser.hpp"

namespace ringwave::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kReconnect{1000};
constexpr milliseconds kChurnStay{2000};
constexpr milliseconds kGarbageStay{1000};
constexpr int kSilentBytes = 4096;

asio::awaitable<void> sleep_until(steady_clock::time_point time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

/// Reads and forgets until the time is over, or the server ends it: then false.
asio::awaitable<bool> discard(beast::tcp_stream& stream, steady_clock::time_point until) {
  std::vector<std::byte> buffer(1 << 14);
  boost::system::error_code error;
  stream.expires_at(until);
  while (!error)
    co_await stream.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, error));
  co_return error == beast::error::timeout;
}

asio::awaitable<void> write(beast::tcp_stream& stream, const std::string& bytes) {
  boost::system::error_code ignored;  // a server that hangs up on nonsense is right
  stream.expires_after(kGarbageStay);
  co_await asio::async_write(stream, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, ignored));
}

/// A letter at a time, as long as it lasts.
asio::awaitable<void> write_slowly(beast::tcp_stream& stream, const std::string& bytes) {
  for (const char letter : bytes) {
    co_await write(stream, std::string(1, letter));
    co_await sleep_until(steady_clock::now() + milliseconds(50));
  }
}

/// The server has ended it. What it had sent before is read first, as only then the end is seen.
bool is_dropped(int socket) {
  std::array<std::byte, 1 << 14> buffer{};
  for (;;) {
    const ssize_t bytes = recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (bytes <= 0) return bytes == 0 || (errno != EAGAIN && errno != EINTR);
  }
}

}  // namespace

void Nuisance::begin() {
  const auto spawn = [this](int count, Awaitable<void> (Nuisance::*task)(std::size_t)) {
    for (int number = 0; number < count; ++number)
      asio::co_spawn(context_, (this->*task)(static_cast<std::size_t>(number)), asio::detached);
  };
  spawn(spec_.silent, &Nuisance::be_silent);
  spawn(spec_.garbage, &Nuisance::send_garbage);
  spawn(spec_.reconnecting, &Nuisance::reconnect);
  if (spec_.churn > 0) asio::co_spawn(context_, churn(), asio::detached);
}

asio::awaitable<void> Nuisance::be_silent(std::size_t number) {
  StreamWish quiet = wish(number);
  quiet.receive_bytes = kSilentBytes;
  try {
    OpenStream opened = co_await open_stream(spec_.endpoints, std::move(quiet));
    silent_.emplace_back(opened.socket.release());
    ++counts_.silent;
  } catch (const std::exception&) {
    ++counts_.refused;
  }
}

asio::awaitable<void> Nuisance::send_garbage(std::size_t number) {
  Chance chance(static_cast<unsigned>(number + 1));
  for (;;) {
    try {
      co_await send_garbage_once(chance);
      ++counts_.garbage;
    } catch (const std::exception&) {
      ++counts_.refused;
    }
    co_await sleep_until(steady_clock::now() + milliseconds(200 + chance() % 800));
  }
}

asio::awaitable<void> Nuisance::send_garbage_once(Chance& chance) {
  if (chance() % 2 == 0)
    co_await send_over_http(chance);
  else
    co_await send_over_socket(chance);
}

asio::awaitable<void> Nuisance::send_over_http(Chance& chance) {
  beast::tcp_stream stream(co_await asio::this_coro::executor);
  co_await connect(stream, spec_.endpoints, spec_.wishes.front().authority);
  const bool is_slow = chance() % 4 == 0;
  const std::string text = is_slow ? slow_head() : garbage_for_http(chance);
  if (is_slow)
    co_await write_slowly(stream, text);
  else
    co_await write(stream, text);
  co_await discard(stream, steady_clock::now() + kGarbageStay);
}

asio::awaitable<void> Nuisance::send_over_socket(Chance& chance) {
  OpenStream opened = co_await open_stream(spec_.endpoints, wish(chance()));
  beast::tcp_stream stream(std::move(opened.socket));
  const auto end = steady_clock::now() + kGarbageStay;
  for (auto messages = 1 + chance() % 20; messages > 0; --messages)
    co_await write(stream, garbage_for_socket(chance));
  co_await discard(stream, end);
}

asio::awaitable<void> Nuisance::listen_for_a_while(std::size_t number, milliseconds time, bool is_polite,
                                                   std::uint64_t& counter) {
  bool stayed = false;
  const auto end = steady_clock::now() + time;
  try {
    OpenStream opened = co_await open_stream(spec_.endpoints, wish(number));
    beast::tcp_stream stream(std::move(opened.socket));
    stayed = co_await discard(stream, end);
    if (stayed && is_polite) co_await write(stream, goodbye_frame());
  } catch (const std::exception&) {
    stayed = false;
  }
  ++(stayed ? counter : counts_.refused);
  co_await sleep_until(end);
}

asio::awaitable<void> Nuisance::reconnect(std::size_t number) {
  for (;;) co_await listen_for_a_while(number, kReconnect, false, counts_.reconnects);
}

asio::awaitable<void> Nuisance::churn() {
  const auto begun = steady_clock::now();
  const double spread_seconds =
      std::max(0.0, spec_.seconds - std::chrono::duration<double>(kChurnStay).count());
  for (int number = 0; number < spec_.churn; ++number) {
    const std::chrono::duration<double> wait(spread_seconds * number / spec_.churn);
    co_await sleep_until(begun + std::chrono::duration_cast<steady_clock::duration>(wait));
    asio::co_spawn(context_, come_and_go(static_cast<std::size_t>(number)), asio::detached);
  }
}

asio::awaitable<void> Nuisance::come_and_go(std::size_t number) {
  co_await listen_for_a_while(number, kChurnStay, number % 2 == 0, counts_.churned);
}

NuisanceCounts Nuisance::finish() {
  std::vector<bool> is_gone(silent_.size());
  for (int look = 0; look < 10 && !silent_.empty(); ++look) {  // what waits in the server comes after a look
    for (std::size_t i = 0; i < silent_.size(); ++i)
      if (!is_gone[i]) is_gone[i] = is_dropped(silent_[i].number());
    std::this_thread::sleep_for(milliseconds(20));
  }
  counts_.silent_dropped = static_cast<std::uint64_t>(std::ranges::count(is_gone, true));
  silent_.clear();
  return counts_;
}

}  // namespace ringwave::client
