// SPDX-License-Identifier: Apache-2.0
#include "apps/server/server_message.hpp"

#include <nlohmann/json.hpp>

#include "apps/server/endpoints.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::server {
namespace {

using nlohmann::json;
using stream::Studio;

constexpr int kProtocol = 1;
constexpr int kChannels = 2;

std::string text_of(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string hello_text(const stream::StationInfo& station, io::StreamFormat format, stream::BufferTier tier,
                       bool is_owner) {
  return text_of({{"type", "hello"},
                  {"version", kVersion},
                  {"protocol", kProtocol},
                  {"station", station_json(station)},
                  {"is_owner", is_owner},
                  {"codec", to_string(format)},
                  {"sample_rate", Studio::kSampleRateHz},
                  {"channels", kChannels},
                  {"frame_frames", Studio::kBlockFrames},
                  {"target_seconds", target_seconds(tier)}});
}

std::string own_text() {
  return text_of({{"type", "own"}, {"is_owner", true}});
}

std::string buffer_text(stream::BufferTier tier) {
  return text_of({{"type", "buffer"}, {"target_seconds", target_seconds(tier)}, {"tier", to_string(tier)}});
}

std::string pong_text(const std::string& id_json, std::int64_t sample_time) {
  return text_of({{"type", "pong"}, {"id", json::parse(id_json)}, {"sample_time", sample_time}});
}

std::string error_text(stream::RefusalCode code, const std::string& message, bool is_recoverable) {
  return text_of(
      {{"type", "error"}, {"code", to_string(code)}, {"message", message}, {"recoverable", is_recoverable}});
}

std::string warning_text(const std::string& code, const std::string& message) {
  return text_of({{"type", "warning"}, {"code", code}, {"message", message}});
}

std::string shutdown_text(double drain_seconds) {
  return text_of({{"type", "shutdown"}, {"drain_seconds", drain_seconds}});
}

std::string status_text(const ListenerStatus& status) {
  return text_of({{"type", "status"},
                  {"listeners", status.listeners},
                  {"sample_time", status.sample_time},
                  {"sent_frames", status.sent_frames},
                  {"skipped_frames", status.skipped_frames},
                  {"late_frames", status.late_frames},
                  {"load", status.load}});
}

}  // namespace ringwave::server
