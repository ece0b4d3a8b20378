// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "apps/cli/commands.hpp"
#include "apps/cli/interruption.hpp"
#include "apps/cli/piece_options.hpp"
#include "apps/cli/terminal_line.hpp"
#include "apps/client/own_station.hpp"
#include "apps/client/stream_client.hpp"
#include "apps/client/stream_player.hpp"
#include "apps/client/stream_sound.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/io/audio_writer.hpp"
#include "ringwave/stream/reception.hpp"

namespace ringwave::cli {
namespace {

using client::StreamEvents;
using std::chrono::steady_clock;
using stream::StreamUrl;

constexpr int kRateHz = 48000;
constexpr std::chrono::milliseconds kTurn{50};
constexpr std::chrono::seconds kGrace{10};  // for a server that brings less than it should in --seconds
constexpr std::chrono::milliseconds kGoodbye{500};

struct Options {
  std::string url;
  std::string station;
  std::string preset;
  std::optional<std::uint64_t> seed;
  std::string codec;
  std::string token;
  std::string output;
  std::string format;
  std::optional<double> seconds;
  bool play = false;
  bool json = false;
  bool check = false;
  bool no_reconnect = false;
};

double milliseconds_of(stream::DelayHistogram::Delay delay) {
  return std::chrono::duration<double, std::milli>(delay).count();
}

/// One listener's ears: measures, records, plays.
class Listening final : public StreamEvents {
 public:
  Listening(const Options& options, std::optional<std::int64_t> frames)
      : frames_wanted_(frames), sound_([this](BlockView<const float> block) { hear(block); }) {
    if (!options.output.empty()) open(options);
    if (options.play) player_.emplace();
  }

  void connecting() override { reception_.connect(steady_clock::now()); }

  void greeted(const client::Hello& hello) override {
    frame_frames_ = hello.frame_frames;
    set_target(hello.target_seconds);
  }

  void frame(const stream::FrameHeader& header, std::span<const std::byte> payload, Time at) override {
    const bool is_discontinuous = (header.flags & stream::FrameHeader::kDiscontinuous) != 0;
    const auto verdict = reception_.receive({.sequence = header.sequence,
                                             .sample_time = header.sample_time,
                                             .frames = frame_frames_,
                                             .bytes = payload.size() + stream::FrameHeader::kBytes,
                                             .is_discontinuous = is_discontinuous,
                                             .at = at});
    if (verdict != stream::Reception::Verdict::repeated && !is_done()) sound_.add(header, payload);
  }

  void set_target(double seconds) override {
    if (player_) player_->set_target(seconds);
  }

  void say(const std::string& sentence) override {
    line_.hide();
    std::fprintf(stderr, "ringwave: %s\n", sentence.c_str());
  }

  stream::BufferControl::Report report() override {
    return {.depth_seconds = depth_seconds(),
            .jitter_ms = reception_.jitter_seconds() * 1000,
            .underruns = player_ ? player_->underruns() : 0};
  }

  /// All that was asked for is there.
  [[nodiscard]] bool is_done() const noexcept { return frames_wanted_ && heard_ >= *frames_wanted_; }

  void show() {
    if (!line_.is_due()) return;
    char text[160];
    std::snprintf(text, sizeof text, "%s %s, %.2f s in hand, %llu lost, %.1f ms late, %.1f ms jitter",
                  player_ ? "playing" : "listening", clock_text(heard_ / kRateHz).c_str(), depth_seconds(),
                  static_cast<unsigned long long>(reception_.lost()),
                  milliseconds_of(reception_.last_lateness()), reception_.jitter_seconds() * 1000);
    line_.show(text);
  }

  /// Gives the file its name, and lets what is in hand sound out.
  void finish() {
    line_.hide();
    reception_.finish();
    if (player_) player_->finish();
    if (writer_) writer_->commit();
  }

  [[nodiscard]] bool is_whole() const noexcept {
    return reception_.lost() == 0 && reception_.repeated() == 0 && sound_.damaged() == 0 &&
           reception_.frames() > 0 && (!frames_wanted_ || is_done());
  }

  [[nodiscard]] nlohmann::ordered_json summary() {
    const auto first = reception_.first_frame_delay();
    nlohmann::ordered_json made{
        {"seconds", static_cast<double>(heard_) / kRateHz},
        {"frames", reception_.frames()},
        {"bytes", reception_.bytes()},
        {"lost", reception_.lost()},
        {"repeated", reception_.repeated()},
        {"damaged", sound_.damaged()},
        {"lateness_ms",
         {{"p50", milliseconds_of(lateness_.quantile(0.5))},
          {"p99", milliseconds_of(lateness_.quantile(0.99))},
          {"max", milliseconds_of(lateness_.most())}}},
        {"jitter_ms", reception_.jitter_seconds() * 1000},
        {"reconnects", reception_.connections() > 0 ? reception_.connections() - 1 : 0},
        {"first_frame_ms", nullptr}};
    if (first) made["first_frame_ms"] = milliseconds_of(*first);
    if (player_) made["underruns"] = player_->underruns();
    return made;
  }

 private:
  void open(const Options& options) {
    io::AudioWriter::Spec spec{.channels = 2, .sample_rate_hz = kRateHz, .frames = frames_wanted_};
    if (!options.format.empty()) spec.format = io::audio_format_of_name(options.format);
    writer_.emplace(options.output, spec);
  }

  void hear(BlockView<const float> block) {
    if (frames_wanted_)
      block =
          block.slice(0, static_cast<int>(std::min<std::int64_t>(block.frames(), *frames_wanted_ - heard_)));
    if (block.empty()) return;
    heard_ += block.frames();
    if (writer_) writer_->write(block);
    if (player_) player_->play(block);
  }

  [[nodiscard]] double depth_seconds() {
    return player_ ? player_->depth_seconds() : reception_.depth_seconds(steady_clock::now());
  }

  std::optional<std::int64_t> frames_wanted_;
  std::int64_t heard_ = 0;
  std::uint32_t frame_frames_ = 960;
  stream::DelayHistogram lateness_;
  stream::Reception reception_{lateness_};
  std::optional<io::AudioWriter> writer_;
  std::optional<client::StreamPlayer> player_;
  client::StreamSound sound_;
  TerminalLine line_;
};

std::optional<std::int64_t> frames_of(const Options& options) {
  if (!options.seconds) return {};
  if (!(*options.seconds > 0) || *options.seconds > kMostSeconds)
    throw InvalidArgument(number_text(*options.seconds) + " seconds were asked for; use up to " +
                          number_text(kMostSeconds));
  return std::max<std::int64_t>(1, std::llround(*options.seconds * kRateHz));
}

/// The server that the options mean, and its station where one is named.
StreamUrl place_of(const Options& options) {
  StreamUrl url = StreamUrl::parse(options.url);
  if (!options.token.empty()) url.token = options.token;
  const bool names_music = !options.preset.empty() || options.seed;
  if (!options.station.empty() && !stream::is_station_id(options.station))
    throw InvalidArgument("a station has 1 to 32 letters, digits, - and _, and '" +
                          options.station.substr(0, 80) + "' was asked for");
  if (!url.station.empty() && !options.station.empty() && url.station != options.station)
    throw InvalidArgument("the address names station " + url.station + " and --station " + options.station +
                          "; give one of them");
  if (url.station.empty()) url.station = options.station;
  if (!url.station.empty() && names_music)
    throw InvalidArgument("--preset and --seed are for a station that is made, and station " + url.station +
                          " is named; leave out one or the other");
  return url;
}

stream::FrameHeader::Codec codec_of(const Options& options, const StreamUrl& url) {
  if (!options.codec.empty()) return stream::codec_of_name(options.codec);
  return url.codec.value_or(stream::FrameHeader::Codec::opus);
}

/// Until a signal comes, or all is there, or the time for that is over.
void listen_until_done(client::StreamClient& client, Listening& listening, const Options& options) {
  const auto begun = steady_clock::now();
  const auto is_overdue = [&] {
    return options.seconds &&
           steady_clock::now() - begun > std::chrono::duration<double>(*options.seconds) + kGrace;
  };
  while (!client.is_over() && !listening.is_done() && !*Interruption::flag() && !is_overdue()) {
    client.run_for(kTurn);
    listening.show();
  }
  client.stop();
  const auto end = steady_clock::now() + kGoodbye;
  while (!client.is_over() && steady_clock::now() < end) client.run_for(kTurn);
}

void print_summary(const nlohmann::ordered_json& summary, std::FILE* out) {
  const auto number = [&](const char* name) { return summary[name].get<unsigned long long>(); };
  const auto late = [&](const char* share) { return summary["lateness_ms"][share].get<double>(); };
  std::fprintf(out, "heard %s of station %s: %llu frames, %llu lost, %llu repeated, %llu damaged\n",
               clock_text(std::llround(std::floor(summary["seconds"].get<double>()))).c_str(),
               summary["station"].get<std::string>().c_str(), number("frames"), number("lost"),
               number("repeated"), number("damaged"));
  std::fprintf(out, "late by %.1f ms (p50), %.1f ms (p99), %.1f ms (most); jitter %.1f ms; %llu reconnects\n",
               late("p50"), late("p99"), late("max"), summary["jitter_ms"].get<double>(),
               number("reconnects"));
}

ExitCode listen(const Options& options) {
  const trace::Span span("listen");
  const Interruption interruption;
  Listening listening(options, frames_of(options));
  StreamUrl station = place_of(options);
  std::optional<client::OwnStation> made;
  if (station.station.empty())
    made.emplace(station, client::OwnStation::Wish{.preset = options.preset, .seed = options.seed});
  if (made) station.station = made->id();
  const auto codec = codec_of(options, station);
  client::StreamClient client({.station = station, .codec = codec, .reconnects = !options.no_reconnect},
                              listening);
  std::exception_ptr lost;
  try {
    listen_until_done(client, listening, options);
  } catch (const DeviceUnavailable&) {
    lost = std::current_exception();  // what was heard until then is kept
  }
  auto summary = listening.summary();
  if (lost && summary["frames"] == 0) std::rethrow_exception(lost);
  listening.finish();
  summary = listening.summary();
  summary["station"] = station.station;
  summary["codec"] = stream::to_string(codec);
  std::FILE* out = options.output == "-" ? stderr : stdout;
  if (options.json)
    std::fprintf(out, "%s\n", summary.dump(2).c_str());
  else
    print_summary(summary, out);
  std::fflush(out);
  if (lost) std::rethrow_exception(lost);
  return options.check && !listening.is_whole() ? ExitCode::check_failed : ExitCode::ok;
}

void add_options(CLI::App& command, Options& options) {
  command
      .add_option("url", options.url,
                  "A server, http://HOST:PORT, or one of its stations, ws://HOST:PORT/ws/stations/ID")
      ->type_name("URL")
      ->required();
  command
      .add_option("--station", options.station,
                  "The station of the server; without it one is made, and removed at the end")
      ->type_name("ID");
  command.add_option("--preset", options.preset, "What a station that is made plays")->type_name("NAME");
  command.add_option("--seed", options.seed, "The seed of a station that is made; without it a random one")
      ->type_name("N");
  command
      .add_option("--codec", options.codec,
                  "How the sound comes: opus or pcm; without it what URL says, or opus")
      ->type_name("CODEC");
  command
      .add_option("--token", options.token,
                  "The token, where the server wants one; RINGWAVE_TOKEN does the same")
      ->envname("RINGWAVE_TOKEN")
      ->type_name("TOKEN");
  command.add_option("--output,-o", options.output, "Record into this file; - is standard output")
      ->type_name("OUT");
  command
      .add_option("--format", options.format,
                  "wav16, wav24, wav32f, flac, ogg, opus, mp3 or raw, instead of what OUT's ending means")
      ->type_name("FORMAT");
  command
      .add_option(
          "--seconds", options.seconds,
          "End after so much sound, or ten seconds later; without it Ctrl-C ends it, with a whole file")
      ->type_name("S");
  command.add_flag("--play", options.play, "Play it on the audio device that a JACK or PipeWire server has");
  command.add_flag("--json", options.json, "The summary as JSON");
  command.add_flag("--check", options.check, "End with 1 where anything was lost, repeated or damaged");
  command.add_flag("--no-reconnect", options.no_reconnect, "End where the connection is lost");
}

}  // namespace

void add_listen(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "listen",
                                  "Listen to a server's station: record it, play it, and tell how well it "
                                  "came: what was lost, how late, how unsteadily");
  const auto options = std::make_shared<Options>();
  add_options(command, *options);
  command.callback([&run, options] { run = [options] { return listen(*options); }; });
}

}  // namespace ringwave::cli
