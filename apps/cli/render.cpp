// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/audio_options.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/interruption.hpp"
#include "apps/cli/music_options.hpp"
#include "apps/cli/rendering.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/music/midi_file.hpp"
#include "ringwave/synth/built_in_patches.hpp"

namespace ringwave::cli {
namespace {

constexpr double kMostSeconds = 86400;
constexpr double kUsualLufs = -16;

struct Options {
  std::string midi;  // empty: a piece is composed
  MusicOptions music;
  AudioOutput output;
  std::optional<double> seconds;
  int rate_hz = 48000;
  int block_frames = 480;
  std::string patch;
};

/// What is rendered, and how it sounds.
struct Programme {
  std::unique_ptr<Piece> piece;
  synth::StationEffects effects;
};

Programme midi_programme(const Options& options, std::optional<std::uint8_t> patch) {
  const music::MidiFile file = music::MidiFile::load(options.midi);
  const auto performance = std::make_shared<const synth::MidiPerformance>(file, options.rate_hz);
  if (performance->notes.empty())
    throw BadFile(options.midi + " has no notes, and there is nothing to render");
  const double seconds = static_cast<double>(performance->end_frame) / options.rate_hz;
  if (!options.seconds && seconds > kMostSeconds)
    throw InvalidArgument(options.midi + " lasts " + number_text(seconds) +
                          " s, more than a day; say with --seconds how much of it is wanted");
  const double bpm = file.tempi.empty() ? 120 : 60e6 / file.tempi.front().microseconds_per_beat;
  synth::StationEffects effects;
  effects.delay.seconds = std::max(0.05, synth::tempo_delay(bpm));
  return {std::make_unique<MidiPiece>(performance, patch), effects};
}

Programme composed_programme(const Options& options, std::optional<std::uint8_t> patch) {
  if (!options.seconds)
    throw InvalidArgument("a composed piece has no end; say with --seconds how much of it is wanted");
  const music::Settings settings = options.music.preset().settings;
  return {std::make_unique<ComposedPiece>(settings, options.music.seed(), options.rate_hz, patch),
          synth::effects_of(settings)};
}

std::optional<std::int64_t> frames_of(const Options& options) {
  if (!options.seconds) return {};
  if (!(*options.seconds > 0 && *options.seconds <= kMostSeconds))
    throw InvalidArgument(number_text(*options.seconds) + " seconds were asked for; use more than 0, up to " +
                          number_text(kMostSeconds));
  return std::max<std::int64_t>(1, std::llround(*options.seconds * options.rate_hz));
}

ExitCode render(const Options& options, const Common& common) {
  const trace::Span span("render");
  const Interruption interruption;
  const std::optional<std::int64_t> frames = frames_of(options);
  Rendering::Spec spec{.device = common.find_device(),
                       .sample_rate_hz = options.rate_hz,
                       .block_frames = options.block_frames,
                       .patches = {synth::built_in_patches().begin(), synth::built_in_patches().end()}};
  std::optional<std::uint8_t> patch;
  if (!options.patch.empty()) {
    patch = static_cast<std::uint8_t>(spec.patches.size());
    spec.patches.push_back(synth::load_patch(options.patch));
  }
  Programme programme =
      options.midi.empty() ? composed_programme(options, patch) : midi_programme(options, patch);
  programme.effects.loudness_lufs = kUsualLufs;
  const io::AudioWriter::Spec written{.channels = 2, .sample_rate_hz = options.rate_hz, .frames = frames};
  io::AudioWriter writer = options.output.open(written);
  std::vector<Rendering::Station> stations;
  stations.push_back({.piece = std::move(programme.piece),
                      .part = {},
                      .effects = programme.effects,
                      .hear = [&](BlockView<const float> block) { writer.write(block); }});
  Rendering(spec, std::move(stations)).run("rendering", frames);
  Interruption::check();
  writer.commit();
  report_written(options.output.path, writer, written);
  return ExitCode::ok;
}

}  // namespace

void add_render(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "render", "Render a MIDI file, or a composed piece, as an audio file");
  const auto options = std::make_shared<Options>();
  CLI::Option* const midi =
      command.add_option("input", options->midi, "The MIDI file; without one a piece is composed")
          ->type_name("MIDI");
  const std::size_t before = command.get_options().size();
  options->music.add_to(command);
  const std::vector<CLI::Option*> all = command.get_options();
  for (std::size_t i = before; i < all.size(); ++i) midi->excludes(all[i]);
  options->output.add_to(command);
  command
      .add_option("--seconds", options->seconds,
                  "How long it is, up to a day; a MIDI file ends by itself, when its last note has died away")
      ->type_name("S");
  command.add_option("--rate", options->rate_hz, "The sample rate of OUT")
      ->check(CLI::Range(8000, 192000))
      ->type_name("HZ")
      ->capture_default_str();
  command
      .add_option("--block", options->block_frames,
                  "Frames that are rendered at once; the result is the same with any number")
      ->check(CLI::Range(1, 4096))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--patch", options->patch,
                  "A voice of your own, a .toml: it plays the melody of a composed piece, and all but the "
                  "percussion of a MIDI file")
      ->type_name("FILE");
  command.callback(
      [&run, &common, options] { run = [&common, options] { return render(*options, common); }; });
}

}  // namespace ringwave::cli
