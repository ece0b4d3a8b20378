// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "apps/server/endpoints.hpp"
#include "apps/server/metrics.hpp"
#include "apps/server/resident_memory.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::server {
namespace {

using nlohmann::json;

constexpr double kMs = 1000;

double mean(const stream::Histogram& histogram) {
  const std::uint64_t total = histogram.total();
  return total == 0 ? 0 : histogram.sum() / static_cast<double>(total);
}

}  // namespace

Answer get_status(Services& services, const Request&) {
  const stream::StudioStats stats = services.studio.stats();
  const stream::Histogram& render = services.studio.render_seconds();
  constexpr double kBlockMs = kMs * stream::Studio::kBlockFrames / stream::Studio::kSampleRateHz;
  return json_answer(
      {{"version", kVersion},
       {"uptime_seconds", services.uptime_seconds()},
       {"state", services.draining ? "draining" : "ok"},
       {"device", services.studio.device().name()},
       {"stations", stats.stations},
       {"playing", stats.playing},
       {"listeners", stats.listeners},
       {"max_playing", services.config.max_playing},
       {"load", stats.load},
       {"encode_load", stats.encode_load},
       {"block_ms", kBlockMs},
       {"render_ms",
        {{"mean", kMs * mean(render)}, {"p99", kMs * render.quantile(0.99)}, {"max", kMs * render.most()}}},
       {"deadline_misses", stats.deadline_misses},
       {"late_blocks", stats.dropped_blocks},
       {"bytes_sent", services.total(&Counters::bytes_sent)},
       {"resident_bytes", resident_bytes()},
       {"underruns", services.total(&Counters::underruns)},
       {"skipped_frames", stats.skipped_packets},
       {"dropped_listeners", services.total(&Counters::dropped_listeners)}});
}

Answer get_health(Services& services, const Request&) {
  if (services.draining) return json_answer({{"status", "draining"}}, 503);
  if (const auto hanging = services.watch.hanging(); !hanging.empty())
    return json_answer({{"status", "stalled"}, {"hanging", hanging}}, 503);
  // 200 all the same: the music goes on, and whoever restarted the server for it would lose what is not
  // saved.
  if (services.studio.is_save_failing())
    return json_answer({{"status", "degraded"}, {"saves_stations", false}});
  return json_answer({{"status", "ok"}});
}

Answer get_devices(Services&, const Request&) {
  json devices = json::array();
  // What `auto` comes to before anything was measured: the first GPU, else the CPU.
  const std::string usual = Device::all().back().kind() == DeviceKind::cuda ? "cuda:0" : "cpu";
  for (const Device device : Device::all()) {
    json made{{"name", device.name()},
              {"description", device.profile().name},
              {"is_default", device.name() == usual}};
    if (device.profile().memory_bytes > 0) made["memory_bytes"] = device.profile().memory_bytes;
    devices.push_back(std::move(made));
  }
  json made{{"devices", std::move(devices)}};
  if (const std::string_view why = Device::why_no_gpu(); !why.empty()) made["why_no_gpu"] = why;
  return json_answer(made);
}

Answer get_openapi(Services&, const Request&) {
  Answer answer;
  answer.body = embedded_file("openapi.json");
  answer.headers.emplace_back("Cache-Control", "no-cache");
  return answer;
}

Answer get_metrics(Services& services, const Request&) {
  Answer answer;
  answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
  answer.body = metrics_text(services);
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

}  // namespace ringwave::server
