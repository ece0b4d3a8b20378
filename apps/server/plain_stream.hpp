// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "apps/server/icy_metadata.hpp"
#include "apps/server/listening.hpp"
#include "apps/server/outflow.hpp"

namespace ringwave::server {

/// A station as an answer of HTTP that does not end, for players.
class PlainStream final : public Listening {
 public:
  PlainStream(Shard& shard, Services& services, Handover&& handover);

  /// Until the player goes or the station is over. [server]
  Task<> run();
  /// [server]
  [[nodiscard]] std::uint64_t bytes_sent() const noexcept { return outflow_.bytes(); }

  void on_second(Time now) override;
  void on_end() override;

 private:
  /// So many packets go at once; with titles between them they are still few pieces.
  static constexpr std::size_t kBatch = 16;

  bool send_packets() override;
  [[nodiscard]] bool has_more() const override { return is_over_ || outflow_.has_rest(); }
  void cut() override;
  [[nodiscard]] std::string head() const;
  bool send_head();
  [[nodiscard]] std::string title() const;
  /// A player has no ear for them.
  void skip_news();
  bool send(std::span<const std::span<const std::byte>> pieces);
  Task<bool> flush();

  Socket socket_;
  Outflow outflow_;
  std::optional<IcyMetadata> icy_;
  bool is_head_;
  bool may_embed_;
  bool is_over_ = false;
};

}  // namespace ringwave::server
