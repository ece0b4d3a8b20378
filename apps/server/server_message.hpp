// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ringwave/io/stream_format.hpp"
#include "ringwave/stream/buffer_tier.hpp"
#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/studio.hpp"

namespace ringwave::server {

/// What the server says over a WebSocket besides the news of the station. docs/protocol.md has the members.
/// [server]
[[nodiscard]] std::string hello_text(const stream::StationInfo& station, io::StreamFormat format,
                                     stream::BufferTier tier, bool is_owner);
[[nodiscard]] std::string own_text();
[[nodiscard]] std::string buffer_text(stream::BufferTier tier);
[[nodiscard]] std::string pong_text(const std::string& id_json, std::int64_t sample_time);
[[nodiscard]] std::string error_text(stream::RefusalCode code, const std::string& message,
                                     bool is_recoverable);
[[nodiscard]] std::string warning_text(const std::string& code, const std::string& message);
[[nodiscard]] std::string shutdown_text(double drain_seconds);

struct ListenerStatus {
  int listeners = 0;  ///< of the station
  std::int64_t sample_time = 0;
  std::uint64_t sent_frames = 0;
  std::uint64_t skipped_frames = 0;
  std::uint64_t late_frames = 0;
  double load = 0;
};
[[nodiscard]] std::string status_text(const ListenerStatus& status);

}  // namespace ringwave::server
