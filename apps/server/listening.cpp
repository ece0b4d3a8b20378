// SPDX-License-Identifier: Apache-2.0
#include "apps/server/listening.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/post.hpp>

namespace ringwave::server {
namespace {

// Bytes that the system may keep for one listener, and how long they may be on their way.
constexpr int kPackedBytes = 32768;
constexpr int kPlainBytes = 262144;
constexpr unsigned kOnTheWayMs = 20000;

bool is_packed(io::StreamFormat format) {
  return format == io::StreamFormat::opus || format == io::StreamFormat::ogg_opus ||
         format == io::StreamFormat::mp3;
}

}  // namespace

Listening::Listening(Shard& shard, Services& services, Audience audience, ConnectionSlot slot)
    : Member(shard),
      services_(services),
      audience_(std::move(audience)),
      slot_(std::move(slot)),
      lags_(kLagsAMinute, kLagsAMinute / 60) {}

Listening::~Listening() = default;

void Listening::on_packets() {
  if (!sleeper_) return;
  if (!listener().has_news() && !has_more() && can_send() && !send_packets()) return cut();
  if (listener().has_news() || has_more()) woken()();
}

void Listening::on_second(Time now) {
  if (write_began_ && now - *write_began_ > kWriteTime) drop("it took nothing for ten seconds");
}

/// Its coroutine, which sleeps in here, is what holds it.
void Listening::forget() {
  const Sleeper gone = woken();
}

Task<> Listening::wait() {
  static constexpr asio::use_awaitable_t<Executor> kUseTask{};
  // Packets and news are not looked for: the shard tells those who sleep of all that come after their last
  // look.
  if (has_more()) co_return;
  co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void()>(
      [this](auto handler) { Sleeper(std::move(handler)).swap(sleeper_); }, kUseTask);
}

void Listening::wake() {
  if (sleeper_) asio::post(shard().context(), woken());
}

Listening::Sleeper Listening::woken() {
  Sleeper made;
  made.swap(sleeper_);  // its assignment is at fault in Boost 1.81
  return made;
}

std::size_t Listening::take(std::span<stream::PacketPtr> packets) {
  const std::size_t count = listener().take(packets);
  const Time now = std::chrono::steady_clock::now();
  Counters& counters = shard().counters();
  for (std::size_t i = 0; i < count; ++i) {
    if (packets[i]->due < came_) continue;  // it was there before this listener was
    const double lateness = std::chrono::duration<double>(now - packets[i]->due).count();
    counters.lateness_seconds.add(lateness);
    if (lateness <= Counters::kLateSeconds) continue;
    counters.late_frames.add();
    ++late_frames_;
  }
  counters.frames_sent.add(count);
  if (const std::uint64_t skipped = listener().skipped(); skipped != skipped_) {
    counters.skipped_frames.add(skipped - std::exchange(skipped_, skipped));
    if (!lags_.take()) drop("it fell behind again and again");
  }
  return count;
}

void Listening::drop(const std::string& why) {
  shard().counters().dropped_listeners.add();
  services_.log.detail("a listener of " + station() + " is dropped: " + why);
  write_began_.reset();
  cut();
}

void prepare_socket(Socket& socket, io::StreamFormat format) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::send_buffer_size(is_packed(format) ? kPackedBytes : kPlainBytes),
                    ignored);
  (void)setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &kOnTheWayMs, sizeof kOnTheWayMs);
}

}  // namespace ringwave::server
