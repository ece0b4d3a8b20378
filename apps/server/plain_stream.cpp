// SPDX-License-Identifier: Apache-2.0
#include "apps/server/plain_stream.hpp"

#include <array>
#include <utility>
#include <vector>

#include "ringwave/music/scale.hpp"

namespace ringwave::server {

PlainStream::PlainStream(Shard& shard, Services& services, Handover&& handover)
    : Listening(shard, services, std::move(handover.audience), std::move(handover.slot)),
      socket_(std::move(handover.socket)),
      outflow_(socket_, shard.counters().bytes_sent),
      is_head_(handover.request.is_head),
      may_embed_(handover.request.may_embed) {
  if (handover.request.wants_icy && format() == io::StreamFormat::mp3) icy_.emplace();
  prepare_socket(socket_, format());
}

Task<> PlainStream::run() {
  if (!send_head()) co_return;
  while (!is_over_) {
    if (outflow_.has_rest() && !co_await flush()) co_return;
    if (is_head_) break;
    skip_news();
    if (!send_packets()) co_return;
    co_await wait();
  }
  error_code ignored;
  socket_.shutdown(Socket::shutdown_both, ignored);
}

bool PlainStream::send_head() {
  const std::string text = head();
  std::vector pieces{std::as_bytes(std::span(text))};
  if (!is_head_) {
    // The head of the format is sound to a player that counts the bytes between titles.
    std::vector first{listener().header()};
    if (icy_) {
      icy_->set_title(title());
      first = icy_->woven(first);
    }
    pieces.insert(pieces.end(), first.begin(), first.end());
  }
  return send(pieces);
}

void PlainStream::skip_news() {
  stream::PacketPtr news;
  while (listener().take_news(std::span(&news, 1)) > 0) news.reset();
}

bool PlainStream::send_packets() {
  std::array<stream::PacketPtr, kBatch> packets;
  std::vector<std::span<const std::byte>> pieces;
  while (!outflow_.has_rest() && !is_over_) {
    const std::size_t count = take(packets);
    if (count == 0) break;
    pieces.clear();
    for (std::size_t i = 0; i < count; ++i) pieces.emplace_back(packets[i]->bytes);
    if (icy_) pieces = icy_->woven(pieces);
    if (!send(pieces)) return false;
  }
  return true;
}

bool PlainStream::send(std::span<const std::span<const std::byte>> pieces) {
  std::vector<asio::const_buffer> buffers;
  buffers.reserve(pieces.size());
  for (const auto piece : pieces) buffers.emplace_back(piece.data(), piece.size());
  return outflow_.send(buffers);
}

Task<bool> PlainStream::flush() {
  begin_write();
  const bool is_open = co_await outflow_.flush();
  end_write();
  co_return is_open;
}

std::string PlainStream::head() const {
  std::string text =
      "HTTP/1.1 200 OK\r\nContent-Type: " + std::string(io::content_type(format())) +
      "\r\nConnection: close\r\nCache-Control: no-store\r\nAccept-Ranges: none\r\nicy-name: Ringwave " +
      station() + "\r\n";
  if (icy_) text += "icy-metaint: " + std::to_string(IcyMetadata::kInterval) + "\r\n";
  for (const auto& [name, value] : common_headers(may_embed_))
    text += std::string(name) + ": " + value + "\r\n";
  return text + "\r\n";
}

std::string PlainStream::title() const {
  const stream::StationInfo info = services().studio.find(station());
  return "Ringwave: " + (info.preset.empty() ? "" : info.preset + ", ") +
         std::string(music::key_name(info.settings.key)) + " " + std::string(to_string(info.settings.mode));
}

void PlainStream::on_second(Time now) {
  if (is_head_) return;
  Listening::on_second(now);
  try {
    if (icy_) icy_->set_title(title());
    is_over_ |= services().studio.is_gone(station());
  } catch (const stream::Refusal&) {
    is_over_ = true;
  }
  if (is_over_) wake();
}

void PlainStream::on_end() {
  is_over_ = true;
  wake();
}

void PlainStream::cut() {
  is_over_ = true;
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace ringwave::server
