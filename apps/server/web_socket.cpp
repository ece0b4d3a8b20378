// SPDX-License-Identifier: Apache-2.0
#include "apps/server/web_socket.hpp"

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <utility>

#include "apps/server/binary_frame_head.hpp"
#include "apps/server/server_message.hpp"

namespace ringwave::server {
namespace {

using stream::Refusal;
using stream::RefusalCode;

constexpr int kStatusSeconds = 5;
constexpr double kMessagesAtOnce = 2;  // seconds' worth
constexpr std::chrono::seconds kCloseTime{3};

}  // namespace

WebSocket::WebSocket(Shard& shard, Services& services, Handover&& handover)
    : Listening(shard, services, std::move(handover.audience), std::move(handover.slot)),
      socket_(std::move(handover.socket)),
      outflow_(gate().socket(), shard.counters().bytes_sent),
      head_(std::make_unique<HttpRequest>(std::move(handover.head))),
      rights_(services.access.rights_of(handover.request)),
      messages_(std::max(10.0, kMessagesAtOnce * services.config.messages_per_second),
                services.config.messages_per_second),
      controls_(messages_),
      patience_(kWrongMessages, 1) {
  prepare_socket(gate().socket(), format());
  socket_.auto_fragment(false);  // and so nothing is copied on its way out
  socket_.read_message_max(static_cast<std::size_t>(services.config.max_message_bytes));
  socket_.control_callback([this](websocket::frame_type kind, beast::string_view) { take_control(kind); });
  socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
    for (const auto& [name, value] : common_headers(false)) response.set(name, value);
  }));
}

Task<> WebSocket::run(std::shared_ptr<WebSocket> self) {
  if (!co_await self->accept()) co_return;
  asio::co_spawn(self->shard().context(), self->write(),
                 [self](const std::exception_ptr&) { self->cut(); });  // it keeps itself alive until then
  co_await self->read();
}

Task<bool> WebSocket::accept() {
  begin_write();
  const auto [error] = co_await socket_.async_accept(*head_, as_result);
  end_write();
  head_.reset();
  if (error) co_return false;
  const stream::StationInfo info = services().studio.find(station());
  say(hello_text(info, format(), control_.tier(), is_owner(info)));
  co_return true;
}

Task<> WebSocket::read() {
  beast::flat_buffer buffer(static_cast<std::size_t>(services().config.max_message_bytes));
  error_code error;
  while (!error) {
    std::size_t bytes = 0;
    std::tie(error, bytes) = co_await socket_.async_read(buffer, as_result);
    if (error) break;
    if (socket_.got_binary())
      close(websocket::close_code::unknown_data, "this server takes text alone");
    else
      take_message({static_cast<const char*>(buffer.data().data()), bytes});
    buffer.consume(bytes);
  }
  if (error == websocket::error::message_too_big) shard().counters().refuse(RefusalCode::too_large);
  if (error == websocket::error::bad_frame_payload) shard().counters().refuse(RefusalCode::bad_json);
  cut();
}

Task<> WebSocket::write() {
  bool is_open = true;
  while (is_open && !is_over_ && !(closing_ && texts_.empty() && !outflow_.has_rest()))
    is_open = co_await write_next();
  if (!is_open || is_over_) co_return;
  begin_write();
  (void)co_await socket_.async_close(*closing_, as_result);
  end_write();
}

Task<bool> WebSocket::write_next() {
  if (outflow_.has_rest()) co_return co_await flush();
  if (!texts_.empty()) {
    const std::string text = std::move(texts_.front());
    texts_.erase(texts_.begin());
    co_return co_await send_text(text);
  }
  stream::PacketPtr news;
  if (listener().take_news(std::span(&news, 1)) > 0)
    co_return co_await send_text({reinterpret_cast<const char*>(news->bytes.data()), news->bytes.size()});
  if (!send_packets()) co_return false;
  co_await wait();
  co_return true;
}

Task<bool> WebSocket::send_text(std::string_view text) {
  socket_.text(true);
  begin_write();
  const auto [error, bytes] = co_await socket_.async_write(asio::buffer(text), as_result);
  end_write();
  shard().counters().bytes_sent.add(bytes);
  co_return !error;
}

bool WebSocket::send_packets() {
  std::array<stream::PacketPtr, kBatch> packets;
  while (can_send() && !outflow_.has_rest() && !is_over_) {
    const std::size_t count = take(packets);
    if (count == 0) break;
    if (!send(std::span(packets).first(count))) return false;
  }
  return true;
}

bool WebSocket::send(std::span<const stream::PacketPtr> packets) {
  std::array<BinaryFrameHead, kBatch> heads;
  std::array<asio::const_buffer, 2 * kBatch> pieces;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const auto& bytes = packets[i]->bytes;
    heads[i] = BinaryFrameHead(bytes.size());
    pieces[2 * i] = asio::const_buffer(heads[i].data(), heads[i].size());
    pieces[2 * i + 1] = asio::const_buffer(bytes.data(), bytes.size());
  }
  const bool is_open = outflow_.send(std::span(pieces).first(2 * packets.size()));
  if (outflow_.has_rest()) gate().hold();
  return is_open;
}

Task<bool> WebSocket::flush() {
  begin_write();
  const bool is_open = co_await outflow_.flush();
  end_write();
  gate().release();
  co_return is_open;
}

void WebSocket::take_message(std::string_view text) {
  if (closing_) return;
  try {
    if (!messages_.take()) throw Refusal(RefusalCode::rate_limited, "too many messages come; wait a second");
    std::visit([this](const auto& message) { obey(message); }, stream::parse_client_message(text));
  } catch (const Refusal& refusal) {
    refuse(refusal.code(), refusal.what());
  } catch (const std::exception& fault) {
    services().log.warn(std::string("a message failed: ") + fault.what());
    shard().counters().refuse(RefusalCode::internal);
    say(error_text(RefusalCode::internal, "the server failed at this; its log says why", false));
    close(websocket::close_code::internal_error, "a fault of the server");
  }
}

/// Beast answers pings by itself, each with a write of its own.
void WebSocket::take_control(websocket::frame_type kind) {
  if (kind == websocket::frame_type::close || closing_ || controls_.take()) return;
  shard().counters().refuse(RefusalCode::rate_limited);
  shard().counters().dropped_listeners.add();
  close(websocket::close_code::policy_error, "too many pings");
}

void WebSocket::obey(const stream::ChangeMessage& message) {
  (void)services().changes.change(station(), {{"settings", message.settings}}, rights_);
}

void WebSocket::obey(const stream::PresetMessage& message) {
  (void)services().changes.change(station(), {{"preset", message.name}}, rights_);
}

void WebSocket::obey(const stream::OwnMessage& message) {
  services().access.show(rights_, message.secret);
  if (!is_owner(services().studio.find(station())))
    throw Refusal(RefusalCode::forbidden, "that is not the secret of station " + station());
  say(own_text());
}

void WebSocket::obey(const stream::BufferControl::Report& report) {
  Counters& counters = shard().counters();
  counters.buffer_depth_seconds.add(report.depth_seconds);
  counters.jitter_seconds.add(report.jitter_ms / 1000);
  if (report.underruns > control_.last().underruns)
    counters.underruns.add(report.underruns - control_.last().underruns);
  if (control_.report(report)) say(buffer_text(control_.tier()));
}

void WebSocket::obey(const stream::PingMessage& message) {
  say(pong_text(message.id, services().studio.find(station()).sample_time));
}

void WebSocket::refuse(RefusalCode code, const std::string& why) {
  shard().counters().refuse(code);
  const bool is_forgiven = patience_.take();
  say(error_text(code, why, is_forgiven));
  if (is_forgiven) return;
  shard().counters().dropped_listeners.add();
  close(websocket::close_code::policy_error, "too many wrong messages");
}

void WebSocket::say(std::string text) {
  if (closing_) return;
  if (texts_.size() >= kMostTexts)
    return close(websocket::close_code::policy_error, "it sends and does not read");
  texts_.push_back(std::move(text));
  wake();
}

void WebSocket::say_status() {
  const stream::StationInfo info = services().studio.find(station());
  say(status_text({.listeners = info.listeners,
                   .sample_time = info.sample_time,
                   .sent_frames = listener().taken(),
                   .skipped_frames = listener().skipped(),
                   .late_frames = late_frames(),
                   .load = services().studio.load()}));
}

void WebSocket::close(websocket::close_code code, std::string_view why) {
  if (closing_) return;
  closing_.emplace(code, beast::string_view(why.data(), why.size()));
  cut_at_ = std::chrono::steady_clock::now() + kCloseTime;
  wake();
}

void WebSocket::on_second(Time now) {
  const auto self = shared_from_this();  // cut() may let go of it
  Listening::on_second(now);
  if (now > cut_at_) return cut();
  if (head_ || closing_ || is_over_) return;
  try {
    if (services().studio.is_gone(station())) throw Refusal(RefusalCode::gone, "the station was removed");
    if (listener().skipped() != std::exchange(told_skips_, listener().skipped()))
      say(warning_text("skipped", "you were too slow, and were moved to what is played now"));
    if (++seconds_ % kStatusSeconds == 0) say_status();
  } catch (const Refusal& refusal) {
    say(error_text(RefusalCode::gone, refusal.what(), false));
    close(websocket::close_code::normal, "the station was removed");
  }
}

void WebSocket::on_drain(double seconds) {
  if (!head_) say(shutdown_text(seconds));
}

void WebSocket::on_end() {
  if (head_) return cut();
  close(websocket::close_code::going_away, "the server goes");
}

void WebSocket::cut() {
  is_over_ = true;
  error_code ignored;
  gate().socket().close(ignored);
  wake();
}

}  // namespace ringwave::server
