// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "apps/cli/commands.hpp"
#include "apps/cli/interruption.hpp"
#include "apps/cli/piece_options.hpp"
#include "apps/cli/terminal_line.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/thread_name.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/io/jack_output.hpp"
#include "ringwave/synth/rendering.hpp"

namespace ringwave::cli {
namespace {

// What is rendered ahead. Nobody plays along, so it may be long enough for a small machine that is busy.
constexpr double kLeadSeconds = 0.2;
constexpr std::chrono::milliseconds kNap{5};

struct Options {
  PieceOptions piece;
  double loudness_lufs = -16;
};

/// Renders into a ring, on a thread of its own, as soon as there is room.
class LiveRendering {
 public:
  LiveRendering(const synth::Rendering::Spec& spec, Programme programme, std::optional<std::int64_t> frames,
                io::PlaybackRing& ring)
      : ring_(ring), rendering_(spec, station_of(std::move(programme))) {
    rendering_.begin(frames);
    thread_ = std::async(std::launch::async, [this] { run(); });
  }
  ~LiveRendering() { abandoned_ = true; }        // thread_ waits for its end
  LiveRendering(const LiveRendering&) = delete;  // its thread holds its address
  LiveRendering& operator=(const LiveRendering&) = delete;

  /// Fades out.
  void stop() noexcept { stopping_ = true; }

  /// Voices that can be heard.
  [[nodiscard]] int sounding() const noexcept { return sounding_; }

  /// Throws what stopped the thread.
  void check() {
    if (thread_.valid() && thread_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
      thread_.get();
  }

 private:
  std::vector<synth::Rendering::Station> station_of(Programme programme) {
    std::vector<synth::Rendering::Station> stations;
    stations.push_back({.piece = std::move(programme.piece),
                        .effects = programme.effects,
                        .hear = [this](BlockView<const float> block) { pass_on(block); }});
    return stations;
  }

  void run() {
    name_thread("render");
    bool stopped = false;
    while (!abandoned_ && rendering_.step()) {
      sounding_ = rendering_.sounding();
      if (stopping_ && !std::exchange(stopped, true)) rendering_.stop();
    }
    ring_.finish();
  }

  void pass_on(BlockView<const float> block) {
    int written = 0;
    while (!abandoned_ && written < block.frames()) {
      written += ring_.write(block.slice(written, block.frames() - written));
      if (written < block.frames()) std::this_thread::sleep_for(kNap);
    }
  }

  io::PlaybackRing& ring_;
  synth::Rendering rendering_;
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<int> sounding_{0};
  std::future<void> thread_;
};

std::string counted(std::int64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string faults_of(io::JackOutput& output) {
  return counted(output.ring().underruns(), "underrun") + ", " + counted(output.xruns(), "xrun");
}

int rate_of(const io::JackOutput& output) {
  const int rate_hz = output.sample_rate_hz();
  if (rate_hz < 8000 || rate_hz > 192000)
    throw DeviceUnavailable("the audio server runs at " + std::to_string(rate_hz) +
                            " Hz, and Ringwave plays at 8000 to 192000; start it with another rate");
  return rate_hz;
}

/// Until all has been heard; a signal makes that soon.
void watch(io::JackOutput& output, LiveRendering& rendering) {
  const io::PlaybackRing& ring = output.ring();
  TerminalLine line;
  while (!ring.is_over()) {
    const std::string time = clock_text(ring.played_frames() / output.sample_rate_hz());
    if (output.is_gone())
      throw DeviceLost("the audio server went away at " + time + "; start it again, and then play again");
    rendering.check();
    if (*Interruption::flag()) rendering.stop();
    if (line.is_due())
      line.show("playing " + time + ", " + counted(rendering.sounding(), "voice") + ", " + faults_of(output));
    std::this_thread::sleep_for(kNap);
  }
}

ExitCode play(const Options& options, const Common& common) {
  const trace::Span span("play");
  const Interruption interruption;
  const std::optional<double> seconds = options.piece.seconds();
  synth::Rendering::Spec spec{.device = common.find_device(), .patches = options.piece.patches()};
  spec.heard_frames = spec.block_frames;
  io::JackOutput output("ringwave", kLeadSeconds);
  spec.sample_rate_hz = rate_of(output);
  std::optional<std::int64_t> frames;
  if (seconds) frames = std::max<std::int64_t>(1, std::llround(*seconds * spec.sample_rate_hz));
  Programme programme = options.piece.programme(spec.sample_rate_hz);
  programme.effects.loudness_lufs = options.loudness_lufs;

  LiveRendering rendering(spec, std::move(programme), frames, output.ring());
  while (!output.ring().is_filled()) {
    rendering.check();
    std::this_thread::sleep_for(kNap);
  }
  if (!output.start())
    std::fprintf(stderr,
                 "ringwave: the audio server has no playback ports; connect %s:left and %s:right to where "
                 "they are to be heard\n",
                 output.name().c_str(), output.name().c_str());
  watch(output, rendering);
  const std::int64_t played = output.ring().played_frames();
  std::printf("played %s, %lld frames at %d Hz, %s\n", clock_text(played / spec.sample_rate_hz).c_str(),
              static_cast<long long>(played), spec.sample_rate_hz, faults_of(output).c_str());
  return ExitCode::ok;
}

}  // namespace

void add_play(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "play",
                                  "Play a MIDI file, or a composed piece, on the audio device that a JACK or "
                                  "PipeWire server has; Ctrl-C fades out");
  const auto options = std::make_shared<Options>();
  options->piece.add_to(
      command,
      "How long it plays, up to a day; without it a MIDI file ends by itself, when its last "
      "note has died away, and a composed piece goes on");
  command.add_option("--loudness", options->loudness_lufs, "The loudness it is led towards as it goes")
      ->check(CLI::Range(-60.0, 0.0))
      ->type_name("LUFS")
      ->capture_default_str();
  command.callback([&run, &common, options] { run = [&common, options] { return play(*options, common); }; });
}

}  // namespace ringwave::cli
