// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/websocket/stream.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/server/listening.hpp"
#include "apps/server/outflow.hpp"
#include "apps/server/write_gate.hpp"
#include "ringwave/stream/buffer_tier.hpp"
#include "ringwave/stream/client_message.hpp"
#include "ringwave/stream/token_bucket.hpp"

namespace ringwave::server {

namespace websocket = boost::beast::websocket;

/// A listener with a WebSocket: sound and news out, wishes and reports in. Two coroutines share it, one that
/// reads and one that writes; it lives until both have ended.
class WebSocket final : public Listening, public std::enable_shared_from_this<WebSocket> {
 public:
  WebSocket(Shard& shard, Services& services, Handover&& handover);

  /// Until the client goes, or is sent away. [server]
  static Task<> run(std::shared_ptr<WebSocket> self);
  /// Of sound. [server]
  [[nodiscard]] std::uint64_t bytes_sent() const noexcept { return outflow_.bytes(); }

  void on_second(Time now) override;
  void on_drain(double seconds) override;
  void on_end() override;

 private:
  static constexpr std::size_t kBatch = 16;      ///< packets that are taken at once
  static constexpr std::size_t kMostTexts = 64;  ///< that wait to be written
  static constexpr double kWrongMessages = 20;   ///< that are forgiven, and one more each second

  Task<bool> accept();
  Task<> read();
  Task<> write();
  Task<bool> write_next();
  Task<bool> send_text(std::string_view text);
  Task<bool> flush();
  /// Past Beast, which would need a call to the system for each frame, and have it wait for the last.
  bool send_packets() override;
  bool send(std::span<const stream::PacketPtr> packets);

  void take_message(std::string_view text);
  void take_control(websocket::frame_type kind);
  void obey(const stream::ChangeMessage& message);
  void obey(const stream::PresetMessage& message);
  void obey(const stream::OwnMessage& message);
  void obey(const stream::BufferControl::Report& report);
  void obey(const stream::PingMessage& message);
  void refuse(stream::RefusalCode code, const std::string& why);
  void say(std::string text);
  void say_status();
  /// Says goodbye after what is still to be said.
  void close(websocket::close_code code, std::string_view why);

  [[nodiscard]] bool is_owner(const stream::StationInfo& station) const {
    return rights_.owns(station.owner.secret_hash);
  }
  [[nodiscard]] WriteGate& gate() noexcept { return socket_.next_layer(); }
  [[nodiscard]] bool can_send() const override { return !socket_.next_layer().is_busy(); }
  [[nodiscard]] bool has_more() const override {
    return !texts_.empty() || closing_ || is_over_ || outflow_.has_rest();
  }
  void cut() override;

  websocket::stream<WriteGate, false> socket_;
  Outflow outflow_;
  std::unique_ptr<HttpRequest> head_;  // until it is accepted
  Rights rights_;
  std::vector<std::string> texts_;  // to be written
  std::optional<websocket::close_reason> closing_;
  Time cut_at_ = Time::max();
  bool is_over_ = false;
  stream::TokenBucket messages_;
  stream::TokenBucket controls_;  // pings and pongs
  stream::TokenBucket patience_;
  stream::BufferControl control_;
  int seconds_ = 0;
  std::uint64_t told_skips_ = 0;
};

}  // namespace ringwave::server
