// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "apps/server/endpoints.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/settings_json.hpp"

namespace ringwave::server {
namespace {

using nlohmann::json;
using stream::Refusal;
using stream::RefusalCode;

constexpr double kLoudnessLufs = -16;

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kFormats{{
    {"wav", "audio/wav"},
    {"flac", "audio/flac"},
    {"ogg", "audio/ogg"},
    {"opus", "audio/ogg; codecs=opus"},
    {"mp3", "audio/mpeg"},
}};

std::string ending_from(const json& wish) {
  std::string name = wish.contains("format") ? stream::text_from(wish["format"], "format") : "";
  const auto is_named = [&](const auto& format) { return format.first == name; };
  if (std::ranges::none_of(kFormats, is_named))
    throw Refusal(RefusalCode::unknown_name, "format is '" + name + "'; use wav, flac, ogg, opus or mp3");
  return name;
}

std::int64_t frames_from(const json& wish, double most_seconds) {
  const auto found = wish.find("seconds");
  if (found == wish.end() || !found->is_number())
    throw Refusal(RefusalCode::wrong_type, "seconds is missing or no number; say how long the file is to be");
  const double seconds = found->get<double>();
  if (!(seconds > 0 && seconds <= most_seconds))
    throw Refusal(
        RefusalCode::out_of_range,
        "seconds is " + number_text(seconds) + "; use more than 0, and at most " + number_text(most_seconds));
  return std::max<std::int64_t>(1, std::llround(seconds * RenderDesk::kSampleRateHz));
}

/// The last frames of a station before a time, or before now.
RenderDesk::Order replayed(const Services& services, const json& wish, std::int64_t frames) {
  require_members(wish, {"format", "seconds", "station", "until"});
  const stream::StationInfo station = services.studio.find(stream::text_from(wish["station"], "station"));
  std::int64_t until = station.sample_time;
  if (const auto found = wish.find("until"); found != wish.end()) {
    if (!found->is_number_integer()) throw Refusal(RefusalCode::wrong_type, "until is no whole number");
    until = found->get<std::int64_t>();
    if (until < 1 || until > station.sample_time)
      throw Refusal(RefusalCode::out_of_range, "until is " + std::to_string(until) +
                                                   ", and the station has played " +
                                                   std::to_string(station.sample_time) + " frames");
  }
  if (until < 1)
    throw Refusal(RefusalCode::out_of_range, "the station has not played yet; listen to it first");
  const std::int64_t from = std::max<std::int64_t>(0, until - frames);
  return {.frames = until - from,
          .piece = services.studio.replay(station.id, from),
          .effects = synth::effects_of(station.settings)};
}

/// From the beginning of what a preset and a seed come to.
RenderDesk::Order composed(const Services& services, const json& wish, std::int64_t frames) {
  require_members(wish, {"format", "seconds", "preset", "settings", "seed"});
  const music::Preset preset = services.changes.preset_from(wish, music::built_in_presets().front());
  const std::uint64_t seed = wish.contains("seed") ? stream::seed_from(wish["seed"]) : std::random_device{}();
  return {.frames = frames,
          .piece = std::make_unique<synth::ComposedPiece>(preset.settings, seed, RenderDesk::kSampleRateHz),
          .effects = synth::effects_of(preset.settings)};
}

json job_json(const RenderDesk::Info& job) {
  json made{{"id", job.id}, {"state", to_string(job.state)}, {"progress", job.progress}};
  if (!job.file.empty()) made["url"] = "/api/render/" + job.id + "/file";
  if (!job.error.empty()) made["error"] = job.error;
  return made;
}

}  // namespace

Answer order_render(Services& services, const Request& request) {
  const json wish = body_of(services, request);
  const bool is_held = !services.access.rights_of(request).is_administrator;
  if (is_held) services.rendering.require_room(request.address);
  const std::string ending = ending_from(wish);
  const std::int64_t frames = frames_from(wish, services.config.max_render_seconds);
  auto order = wish.contains("station") ? replayed(services, wish, frames) : composed(services, wish, frames);
  order.ending = ending;
  order.effects.loudness_lufs = kLoudnessLufs;
  const RenderDesk::Info job = services.renders.order(std::move(order));
  if (is_held) (void)services.rendering.take(request.address, job.id);
  Answer answer = json_answer(job_json(job), 202);
  answer.headers.emplace_back("Location", "/api/render/" + job.id);
  return answer;
}

Answer get_render(Services& services, const Request& request) {
  return json_answer(job_json(services.renders.find(request.parameters.at(0))));
}

Answer remove_render(Services& services, const Request& request) {
  services.renders.remove(request.parameters.at(0));
  return empty_answer();
}

Answer get_render_file(Services& services, const Request& request) {
  const RenderDesk::Info job = services.renders.find(request.parameters.at(0));
  if (job.file.empty())
    throw Refusal(RefusalCode::not_found,
                  "the job is " + std::string(to_string(job.state)) + ", and its file is not there");
  const std::string ending = job.file.extension().string().substr(1);
  Answer answer;
  answer.file = job.file;
  for (const auto& [name, type] : kFormats)
    if (name == ending) answer.content_type = type;
  answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"ringwave." + ending + "\"");
  return answer;
}

}  // namespace ringwave::server
