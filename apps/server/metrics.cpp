// SPDX-License-Identifier: Apache-2.0
#include "apps/server/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "apps/server/resident_memory.hpp"
#include "apps/server/ring_metrics.hpp"
#include "ringwave/core/version.hpp"
#include "ringwave/io/stream_format.hpp"

namespace ringwave::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;
using Families = std::vector<MetricFamily>;
using stream::Histogram;

ClientMetric metric_of(MetricType type, double value, Labels labels = {}) {
  ClientMetric metric;
  metric.label = std::move(labels);
  if (type == MetricType::Counter) metric.counter.value = value;
  if (type == MetricType::Gauge) metric.gauge.value = value;
  return metric;
}

void add(Families& families, MetricType type, const char* name, const char* help, double value) {
  families.push_back({std::string("ringwave_") + name, help, type, {metric_of(type, value)}});
}

void add_counter(Families& families, const char* name, const char* help, std::uint64_t value) {
  add(families, MetricType::Counter, name, help, static_cast<double>(value));
}

void add_gauge(Families& families, const char* name, const char* help, double value) {
  add(families, MetricType::Gauge, name, help, value);
}

/// Several of the same buckets, one for each thread that counts, as one.
ClientMetric metric_of(const std::vector<const Histogram*>& parts, Labels labels = {}) {
  ClientMetric metric;
  metric.label = std::move(labels);
  std::uint64_t below = 0;
  for (std::size_t bucket = 0; bucket <= Histogram::kBuckets; ++bucket) {
    for (const Histogram* part : parts) below += part->count(bucket);
    const bool is_last = bucket == Histogram::kBuckets;
    const double bound = is_last ? std::numeric_limits<double>::infinity() : Histogram::bound(bucket);
    metric.histogram.bucket.push_back({below, bound});
  }
  for (const Histogram* part : parts) metric.histogram.sample_sum += part->sum();
  metric.histogram.sample_count = below;
  return metric;
}

void add_histogram(Families& families, const char* name, const char* help,
                   std::vector<ClientMetric> metrics) {
  families.push_back({std::string("ringwave_") + name, help, MetricType::Histogram, std::move(metrics)});
}

void add_studio(Families& families, const Services& services) {
  const stream::StudioStats stats = services.studio.stats();
  add_gauge(families, "stations", "Stations that are known.", stats.stations);
  add_gauge(families, "stations_playing", "Stations that play.", stats.playing);
  add_gauge(families, "listeners", "Those who listen.", stats.listeners);
  add_gauge(families, "render_load", "Share of its time that rendering takes, 0 to 1.", stats.load);
  add_gauge(families, "encode_load", "The same of the busiest thread that encodes.", stats.encode_load);
  add_counter(families, "blocks_total", "Blocks that were rendered.", stats.blocks);
  add_counter(families, "deadline_misses_total", "Blocks that were ready too late.", stats.deadline_misses);
  add_counter(families, "dropped_blocks_total", "Blocks that were not encoded in time.",
              stats.dropped_blocks);
  add_counter(families, "device_losses_total", "Times that the stations moved to the CPU.",
              stats.device_losses);
  add_counter(families, "save_failures_total", "Times that the stations could not be saved.",
              stats.save_failures);
  add_gauge(families, "save_failing", "1 while the stations cannot be saved.",
            services.studio.is_save_failing() ? 1 : 0);
  add_histogram(families, "render_seconds", "Time to render a block of all stations.",
                {metric_of({&services.studio.render_seconds()})});
  std::vector<ClientMetric> encoders;
  encoders.reserve(io::kStreamFormats.size());
  for (const io::StreamFormat format : io::kStreamFormats)
    encoders.push_back(
        metric_of({&services.studio.encode_seconds(format)}, {{"format", std::string(to_string(format))}}));
  add_histogram(families, "encode_seconds", "Time to encode a block of a station.", std::move(encoders));
}

void add_listeners(Families& families, const Services& services) {
  const auto count = [&](const char* name, const char* help, Count Counters::*member) {
    add_counter(families, name, help, services.total(member));
  };
  count("frames_sent_total", "Packets of sound that were sent.", &Counters::frames_sent);
  count("late_frames_total", "Packets that were sent 50 ms or more after they were due.",
        &Counters::late_frames);
  count("skipped_frames_total", "Packets that listeners were too slow for.", &Counters::skipped_frames);
  count("dropped_listeners_total", "Listeners that were sent away.", &Counters::dropped_listeners);
  count("underruns_total", "Underruns that listeners reported.", &Counters::underruns);
  const auto histogram = [&](const char* name, const char* help, Histogram Counters::*member) {
    std::vector<const Histogram*> parts;
    for (const Counters* shard : services.counters) parts.push_back(&(shard->*member));
    add_histogram(families, name, help, {metric_of(parts)});
  };
  histogram("lateness_seconds", "From when a packet was due until it was sent.", &Counters::lateness_seconds);
  histogram("buffer_depth_seconds", "Sound that listeners have in hand.", &Counters::buffer_depth_seconds);
  histogram("jitter_seconds", "Jitter that listeners report.", &Counters::jitter_seconds);
}

void add_network(Families& families, const Services& services) {
  add_gauge(families, "connections", "Connections that are open.", services.connections);
  add_counter(families, "connections_total", "Connections that were made.",
              services.total(&Counters::connections));
  add_counter(families, "requests_total", "Requests of HTTP.", services.total(&Counters::requests));
  add_counter(families, "sent_bytes_total", "Bytes that were sent.", services.total(&Counters::bytes_sent));
  add_counter(families, "access_log_dropped_total", "Lines of the access log that could not be written.",
              services.access_log.dropped());
  MetricFamily refusals{
      "ringwave_refusals_total", "Wishes that were refused, by code.", MetricType::Counter, {}};
  for (std::size_t code = 0; code < Counters::kCodes; ++code) {
    std::uint64_t sum = 0;
    for (const Counters* shard : services.counters) sum += shard->refusals[code].value();
    refusals.metric.push_back(
        metric_of(MetricType::Counter, static_cast<double>(sum),
                  {{"code", std::string(to_string(static_cast<stream::RefusalCode>(code)))}}));
  }
  families.push_back(std::move(refusals));
}

/// One family for all GPUs: of those that say what is asked.
void add_gpus(Families& families, const char* name, const char* help,
              const std::function<std::optional<double>(const Device&)>& read) {
  MetricFamily family{std::string("ringwave_gpu_") + name, help, MetricType::Gauge, {}};
  for (const Device& device : Device::all()) {
    if (device.kind() != DeviceKind::cuda || device.lost()) continue;
    if (const auto value = read(device))
      family.metric.push_back(metric_of(MetricType::Gauge, *value, {{"device", device.name()}}));
  }
  if (!family.metric.empty()) families.push_back(std::move(family));
}

void add_machine(Families& families, const Services& services) {
  add_gauge(families, "uptime_seconds", "Since the server started.", services.uptime_seconds());
  add_gauge(families, "resident_bytes", "Memory of the process.", static_cast<double>(resident_bytes()));
  families.push_back({"ringwave_info",
                      "What this is.",
                      MetricType::Gauge,
                      {metric_of(MetricType::Gauge, 1,
                                 {{"version", kVersion}, {"device", services.studio.device().name()}})}});
  add_gpus(families, "memory_used_bytes", "Memory of the GPU that is in use.", [](const Device& device) {
    const MemoryInfo memory = device.memory();
    return std::optional(static_cast<double>(memory.total_bytes - memory.free_bytes));
  });
  add_gpus(families, "memory_bytes", "Memory of the GPU.", [](const Device& device) {
    return std::optional(static_cast<double>(device.memory().total_bytes));
  });
  add_gpus(families, "utilization_ratio", "How busy the GPU is, 0 to 1.", [](const Device& device) {
    const auto percent = device.sensors().utilization_percent;
    return percent ? std::optional(*percent / 100.0) : std::nullopt;
  });
  add_gpus(families, "temperature_celsius", "How warm the GPU is.",
           [](const Device& device) { return device.sensors().temperature_c; });
  add_gpus(families, "power_watts", "What the GPU draws.",
           [](const Device& device) { return device.sensors().power_w; });
}

}  // namespace

std::string metrics_text(const Services& services) {
  Families families;
  add_studio(families, services);
  add_listeners(families, services);
  add_network(families, services);
  add_machine(families, services);
  return prometheus::TextSerializer().Serialize(families) + ring_metrics_text();
}

}  // namespace ringwave::server
