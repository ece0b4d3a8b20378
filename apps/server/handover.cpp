// SPDX-License-Identifier: Apache-2.0
#include "apps/server/handover.hpp"

#include "ringwave/stream/buffer_tier.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

using stream::Refusal;
using stream::RefusalCode;

// A player begins when it has some seconds; it gets them at once where there are as many.
constexpr double kPlayerSeconds = 2;

Audience player(const std::string& file) {
  const std::size_t dot = file.rfind('.');
  const auto format = io::stream_format_of_ending(dot == std::string::npos ? "" : file.substr(dot + 1));
  if (!format)
    throw Refusal(RefusalCode::not_found,
                  "a stream ends in .opus, .mp3, .flac or .wav, and '" + file.substr(0, 64) + "' does not");
  return {.station = file.substr(0, dot), .format = *format, .listener = nullptr};
}

io::StreamFormat codec_of(const Request& request) {
  const std::string name = request.asked("codec").value_or("pcm");
  if (name == "pcm") return io::StreamFormat::pcm;
  if (name == "opus") return io::StreamFormat::opus;
  throw Refusal(RefusalCode::unsupported, "codec is '" + name.substr(0, 64) + "'; use pcm or opus");
}

/// A station that sleeps takes a place among those that play. It counts for who woke it.
AddressQuota::Beginning take_place(Services& services, const std::string& station, const Request& request) {
  if (services.studio.find(station).is_playing || services.access.rights_of(request).is_administrator)
    return {};
  return services.playing.take(request.address, station);
}

}  // namespace

Audience admit(Services& services, const Route& route, const Request& request) {
  const std::string& name = request.parameters.at(0);
  const bool is_player = route.kind == RouteKind::plain_stream;
  Audience audience =
      is_player ? player(name) : Audience{.station = name, .format = codec_of(request), .listener = {}};
  if (request.is_head) {
    (void)services.studio.find(audience.station);
    return audience;
  }
  const AddressQuota::Beginning beginning = take_place(services, audience.station, request);
  const double seconds = is_player ? kPlayerSeconds : stream::target_seconds(stream::BufferTier::minimal);
  audience.listener = services.studio.listen(audience.station, audience.format, seconds);
  return audience;
}

}  // namespace ringwave::server
