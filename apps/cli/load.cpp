// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/commands.hpp"
#include "apps/cli/interruption.hpp"
#include "apps/cli/terminal_line.hpp"
#include "apps/client/load_run.hpp"
#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::cli {
namespace {

using Json = nlohmann::ordered_json;
using client::LoadReport;

struct Options {
  client::LoadSpec load;
  std::string url = "http://127.0.0.1:8080";
  std::string codec = "opus";
  std::string format = "ws";
  std::string token;
  std::string json_path;
  bool allow_remote = false;
  bool check = false;
};

double milliseconds_of(stream::DelayHistogram::Delay delay) {
  return std::chrono::duration<double, std::milli>(delay).count();
}

client::LoadSpec spec_of(const Options& options) {
  client::LoadSpec spec = options.load;
  spec.server = stream::StreamUrl::parse(options.url);
  if (!options.token.empty()) spec.server.token = options.token;
  if (!spec.server.is_loopback() && !options.allow_remote)
    throw InvalidArgument(
        spec.server.host +
        " is another machine, and load would be an attack on a server that is not one's own; "
        "--allow-remote says that it is");
  if (!spec.server.station.empty()) spec.station_ids.push_back(spec.server.station);
  for (const std::string& id : spec.station_ids)
    if (!stream::is_station_id(id))
      throw InvalidArgument("a station has 1 to 32 letters, digits, - and _, and '" + id.substr(0, 80) +
                            "' was asked for");
  spec.codec = stream::codec_of_name(options.codec);
  spec.format = client::load_format_of_name(options.format);
  const bool has_path = !spec.http_path.empty();
  if (has_path && spec.format == client::LoadFormat::socket)
    throw InvalidArgument("--http-path is for plain streams; say which by --format http-opus or http-mp3");
  if (has_path &&
      (spec.http_path.front() != '/' || spec.http_path.find_first_of(" \r\n\t") != std::string::npos))
    throw InvalidArgument("--http-path wants a path that begins with / and has no spaces");
  spec.stop = Interruption::flag();
  return spec;
}

void show(TerminalLine& line, const client::LoadProgress& progress, const client::LoadSpec& spec) {
  if (!line.is_due()) return;
  char text[200];
  std::snprintf(text, sizeof text, "%s %.0f s, %llu of %d listeners, %llu frames, %llu lost, %llu repeated",
                progress.measures ? "measuring" : "connecting", progress.seconds,
                static_cast<unsigned long long>(progress.counts.held), spec.listeners,
                static_cast<unsigned long long>(progress.counts.frames),
                static_cast<unsigned long long>(progress.counts.lost),
                static_cast<unsigned long long>(progress.counts.repeated));
  line.show(text);
}

Json lateness_of(const LoadReport& report) {
  if (report.lateness.total() == 0) return nullptr;
  return {{"p50", milliseconds_of(report.lateness.quantile(0.5))},
          {"p99", milliseconds_of(report.lateness.quantile(0.99))},
          {"p99.9", milliseconds_of(report.lateness.quantile(0.999))},
          {"max", milliseconds_of(report.lateness.most())},
          {"frames", report.lateness.total()}};
}

double resident_per_listener(const LoadReport& report) {
  const auto grown = report.server->end.resident_bytes - report.server->before.resident_bytes;
  return report.counts.held == 0 ? 0 : static_cast<double>(grown) / static_cast<double>(report.counts.held);
}

Json server_of(const LoadReport& report) {
  if (!report.server) return nullptr;
  const auto& [before, begin, end] = *report.server;
  const double cpu_seconds = end.cpu_seconds - begin.cpu_seconds;
  return {{"cpu_seconds", cpu_seconds},
          {"cores", cpu_seconds / report.seconds},
          {"resident_bytes_before", before.resident_bytes},
          {"resident_bytes", end.resident_bytes},
          {"resident_bytes_per_listener", resident_per_listener(report)},
          {"threads", end.threads}};
}

Json nuisance_of(const client::NuisanceCounts& counts) {
  return {{"silent", counts.silent},   {"silent_dropped", counts.silent_dropped},
          {"garbage", counts.garbage}, {"reconnects", counts.reconnects},
          {"churned", counts.churned}, {"refused", counts.refused}};
}

Json json_of(const LoadReport& report, const client::LoadSpec& spec) {
  const auto& counts = report.counts;
  const double listeners = static_cast<double>(std::max<std::uint64_t>(1, counts.joined));
  return {
      {"version", kVersion},
      {"commit", kCommit},
      {"format", client::to_string(spec.format)},
      {"codec", stream::to_string(spec.codec)},
      {"stations",
       spec.station_ids.empty() ? static_cast<std::size_t>(spec.stations) : spec.station_ids.size()},
      {"listeners",
       {{"asked", report.asked},
        {"joined", counts.joined},
        {"held", counts.held},
        {"refused", report.refused}}},
      {"connect_seconds", report.connect_seconds},
      {"seconds", report.seconds},
      {"frames", counts.frames},
      {"lost", counts.lost},
      {"repeated", counts.repeated},
      {"lateness_ms", lateness_of(report)},
      {"jitter_ms",
       {{"mean", counts.jitter_sum_seconds / listeners * 1000}, {"max", counts.most_jitter_seconds * 1000}}},
      {"first_frame_ms_max", counts.most_first_frame_seconds * 1000},
      {"frames_per_second", static_cast<double>(report.measured_frames) / report.seconds},
      {"bytes_per_second", static_cast<double>(report.measured_bytes) / report.seconds},
      {"load_cpu_seconds", report.cpu_seconds},
      {"load_cores", report.cpu_seconds / report.seconds},
      {"server", server_of(report)},
      {"others", nuisance_of(report.nuisance)},
      {"fault", report.fault}};
}

void print_others(const client::NuisanceCounts& counts) {
  if (counts.silent + counts.garbage + counts.reconnects + counts.churned + counts.refused == 0) return;
  std::printf(
      "beside them     %llu silent (%llu dropped), %llu with garbage, %llu reconnects, %llu came and went, "
      "%llu refused or cut\n",
      static_cast<unsigned long long>(counts.silent), static_cast<unsigned long long>(counts.silent_dropped),
      static_cast<unsigned long long>(counts.garbage), static_cast<unsigned long long>(counts.reconnects),
      static_cast<unsigned long long>(counts.churned), static_cast<unsigned long long>(counts.refused));
}

void print_frames(const LoadReport& report, const Json& json) {
  if (report.counts.frames == 0) return;  // of MP3, or where nobody heard anything
  const auto number = [](const Json& value) { return value.get<unsigned long long>(); };
  const auto late = [&](const char* share) { return json["lateness_ms"][share].get<double>(); };
  std::printf("frames          %llu, %llu lost, %llu repeated\n", number(json["frames"]),
              number(json["lost"]), number(json["repeated"]));
  std::printf("lateness        %.1f ms (p50), %.1f ms (p99), %.1f ms (p99.9), %.1f ms (most)\n", late("p50"),
              late("p99"), late("p99.9"), late("max"));
  std::printf("jitter          %.2f ms (mean), %.2f ms (most); first frame after %.0f ms (most)\n",
              json["jitter_ms"]["mean"].get<double>(), json["jitter_ms"]["max"].get<double>(),
              json["first_frame_ms_max"].get<double>());
}

void print(const LoadReport& report, const Json& json) {
  const auto number = [](const Json& value) { return value.get<unsigned long long>(); };
  std::printf("listeners       %llu of %d held, %llu refused; connected within %.1f s, measured for %.1f s\n",
              number(json["listeners"]["held"]), report.asked, number(json["listeners"]["refused"]),
              report.connect_seconds, report.seconds);
  print_frames(report, json);
  std::printf("rate            %.0f frames and %.2f MB a second\n", json["frames_per_second"].get<double>(),
              json["bytes_per_second"].get<double>() / 1e6);
  std::printf("this process    %.2f s of CPU, %.3f cores\n", report.cpu_seconds,
              json["load_cores"].get<double>());
  if (report.server)
    std::printf(
        "the server      %.2f s of CPU, %.3f cores, %.1f MB resident, %.1f KB a listener, %d threads\n",
        json["server"]["cpu_seconds"].get<double>(), json["server"]["cores"].get<double>(),
        static_cast<double>(report.server->end.resident_bytes) / 1e6, resident_per_listener(report) / 1e3,
        report.server->end.threads);
  print_others(report.nuisance);
  if (!report.fault.empty()) std::printf("one ended       %s\n", report.fault.c_str());
}

void write_json(const std::string& path, const Json& json) {
  if (path.empty()) return;
  AtomicFile file(path);
  file.stream() << json.dump(2) << '\n';
  file.commit();
}

ExitCode load(const Options& options) {
  const trace::Span span("load");
  const Interruption interruption;
  const client::LoadSpec spec = spec_of(options);
  std::optional<TerminalLine> line(std::in_place);
  const LoadReport report =
      client::run_load(spec, [&](const client::LoadProgress& progress) { show(*line, progress, spec); });
  line.reset();
  const Json json = json_of(report, spec);
  print(report, json);
  write_json(options.json_path, json);
  return options.check && !report.is_whole() ? ExitCode::check_failed : ExitCode::ok;
}

void add_listeners(CLI::App& command, Options& options) {
  client::LoadSpec& load = options.load;
  command.add_option("url", options.url, "The server")->type_name("URL")->capture_default_str();
  command.add_option("--listeners", load.listeners, "How many listen")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--stations", load.stations, "Stations that are made, and removed afterwards")
      ->check(CLI::Range(1, 10000))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--station", load.station_ids, "Stations that are there, instead of making some")
      ->type_name("ID");
  command
      .add_option("--http-path", load.http_path,
                  "This path of any server instead, such as a mount of Icecast's; with --format")
      ->type_name("PATH");
  command.add_option("--seconds", load.seconds, "How long is measured, once all listen")
      ->check(CLI::Range(0.1, 86400.0))
      ->type_name("S")
      ->capture_default_str();
  command
      .add_option("--format", options.format,
                  "ws, the WebSocket; http-opus, Ogg Opus, of which pages are counted; http-mp3, of which "
                  "bytes are counted")
      ->type_name("FORMAT")
      ->capture_default_str();
  command.add_option("--codec", options.codec, "What comes over the WebSocket: opus or pcm")
      ->type_name("CODEC")
      ->capture_default_str();
  command.add_option("--threads", load.threads, "Threads that read")
      ->check(CLI::Range(1, 256))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--connect-per-second", load.connects_per_second, "How fast they come")
      ->check(CLI::Range(0.1, 100000.0))
      ->type_name("N")
      ->capture_default_str();
}

void add_others(CLI::App& command, Options& options) {
  client::LoadSpec& load = options.load;
  const auto add = [&](const char* name, int& count, const char* description) {
    command.add_option(name, count, description)->check(CLI::Range(0, 1000000))->type_name("N");
  };
  add("--silent", load.silent, "Beside them: so many who connect and read nothing");
  add("--garbage", load.garbage, "Beside them: so many who send what no server can want");
  add("--reconnecting", load.reconnecting, "Beside them: so many who come back every second");
  add("--churn", load.churn, "Beside them: so many in all who come, stay for two seconds and go");
  command.add_option("--pid", load.server_pid, "The server's process, whose CPU time and memory are told")
      ->check(CLI::PositiveNumber)
      ->type_name("PID");
  command
      .add_option("--token", options.token,
                  "The token, where the server wants one; RINGWAVE_TOKEN does the same")
      ->envname("RINGWAVE_TOKEN")
      ->type_name("TOKEN");
  command.add_option("--json", options.json_path, "Write the report into this file")->type_name("FILE");
  command.add_flag("--check", options.check,
                   "End with 1 where a listener was refused or dropped, or a frame was lost or repeated");
  command.add_flag("--allow-remote", options.allow_remote, "Another machine's server, which is one's own");
}

}  // namespace

void add_load(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "load",
                  "Listen to a server's stations thousands of times at once, and tell what was "
                  "lost and how late it came; on this machine only, unless told otherwise");
  const auto options = std::make_shared<Options>();
  add_listeners(command, *options);
  add_others(command, *options);
  command.callback([&run, options] { run = [options] { return load(*options); }; });
}

}  // namespace ringwave::cli
