// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/commands.hpp"
#include "apps/cli/gain_pass.hpp"
#include "apps/cli/interruption.hpp"
#include "apps/cli/piece_options.hpp"
#include "apps/cli/render_files.hpp"
#include "apps/cli/render_with_progress.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::cli {
namespace {

constexpr double kUsualLufs = -16;
constexpr int kMostPieces = 500;  // as many files are open at once

struct Options {
  PieceOptions piece;
  AudioOutput output;
  int rate_hz = 48000;
  int block_frames = 480;
  std::optional<double> loudness_lufs;
  std::string stems;
  std::optional<int> count;
  std::string picture;
};

void require_together(const Options& options) {
  if (options.piece.midi().empty() && !options.piece.seconds())
    throw InvalidArgument("a composed piece has no end; say with --seconds how much of it is wanted");
  if (options.picture == "-" && options.output.path == "-")
    throw InvalidArgument(
        "-o - and --picture - would both be written to standard output; name a file for one of them");
  if (!options.count) return;
  if (!options.piece.midi().empty())
    throw InvalidArgument("--count was given for " + options.piece.midi() +
                          ", of which there is one; it is for composed pieces");
  if (!options.stems.empty() || !options.picture.empty())
    throw InvalidArgument(
        "--count was given with --stems or --picture, which are of one piece; ask for one at a time");
  if (options.output.path == "-")
    throw InvalidArgument("--count writes files, and standard output is none; name one, as piece.wav");
}

std::optional<std::int64_t> frames_of(const Options& options) {
  const std::optional<double> seconds = options.piece.seconds();
  if (!seconds) return {};
  return std::max<std::int64_t>(1, std::llround(*seconds * options.rate_hz));
}

std::vector<Programme> programmes_of(const Options& options) {
  std::vector<Programme> programmes;
  for (int i = 0; i < options.count.value_or(1); ++i)
    programmes.push_back(options.piece.programme(options.rate_hz, i));
  const double seconds =
      static_cast<double>(programmes.front().piece->end_frame().value_or(0)) / options.rate_hz;
  if (!options.piece.seconds() && seconds > kMostSeconds)
    throw InvalidArgument(options.piece.midi() + " lasts " + number_text(seconds) +
                          " s, more than a day; say with --seconds how much of it is wanted");
  return programmes;
}

/// Of a piece among many: piece.wav becomes piece-7.wav.
AudioOutput output_of(const Options& options, std::size_t number) {
  AudioOutput output = options.output;
  if (!options.count) return output;
  const std::filesystem::path path(output.path);
  const std::string seed = std::to_string(options.piece.seed() + number);
  output.path =
      (path.parent_path() / (path.stem().string() + "-" + seed + path.extension().string())).string();
  return output;
}

RenderFiles::Spec files_of(const Options& options, std::size_t programmes,
                           std::optional<std::int64_t> frames) {
  RenderFiles::Spec files{.outputs = {},
                          .sample_rate_hz = options.rate_hz,
                          .frames = frames,
                          .loudness_lufs = options.loudness_lufs,
                          .stems = options.stems,
                          .picture = options.picture};
  for (std::size_t i = 0; i < programmes; ++i) files.outputs.push_back(output_of(options, i));
  return files;
}

ExitCode render(const Options& options, const Common& common) {
  const trace::Span span("render");
  const Interruption interruption;
  require_together(options);
  std::optional<std::int64_t> frames = frames_of(options);
  const synth::Rendering::Spec spec{.device = common.find_device(),
                                    .sample_rate_hz = options.rate_hz,
                                    .block_frames = options.block_frames,
                                    .patches = options.piece.patches()};
  std::vector<Programme> programmes = programmes_of(options);
  RenderFiles files(files_of(options, programmes.size(), frames), programmes);
  if (options.loudness_lufs)
    frames = set_gains(spec, programmes, *options.loudness_lufs, frames);
  else
    for (Programme& programme : programmes) programme.effects.loudness_lufs = kUsualLufs;
  (void)render_with_progress(spec, files.stations(), frames, "rendering");
  files.commit();
  return ExitCode::ok;
}

void add_render_options(CLI::App& command, Options& options) {
  command.add_option("--rate", options.rate_hz, "The sample rate of OUT")
      ->check(CLI::Range(8000, 192000))
      ->type_name("HZ")
      ->capture_default_str();
  command
      .add_option("--block", options.block_frames,
                  "Frames that are rendered at once; the result is the same with any number")
      ->check(CLI::Range(1, 4096))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option(
          "--loudness", options.loudness_lufs,
          "The loudness of the whole: it is rendered twice, first to measure it; true peaks stay below "
          "-1 dBTP all the same. Without this it is led towards -16 LUFS as it goes, as in a stream")
      ->check(CLI::Range(-60.0, 0.0))
      ->type_name("LUFS");
  command
      .add_option("--stems", options.stems,
                  "Besides, write into this folder what each layer, or each voice of a MIDI file, plays: "
                  "pads.wav, melody.wav and so on, as float. They are before loudness and ceiling: their sum "
                  "is the mix but for its gain")
      ->type_name("DIR");
  command
      .add_option("--count", options.count,
                  "So many pieces, of this seed and the next ones, rendered together: piece.wav becomes "
                  "piece-1.wav, piece-2.wav and so on, by their seeds")
      ->check(CLI::Range(1, kMostPieces))
      ->type_name("N");
  command
      .add_option("--picture", options.picture,
                  "Besides, draw the notes above the spectrogram, as a .png; - is standard output")
      ->type_name("FILE");
}

}  // namespace

void add_render(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "render", "Render a MIDI file, or a composed piece, as an audio file");
  const auto options = std::make_shared<Options>();
  options->piece.add_to(
      command,
      "How long it is, up to a day; without it a MIDI file ends by itself, when its last note has died away");
  options->output.add_to(command);
  add_render_options(command, *options);
  command.callback(
      [&run, &common, options] { run = [&common, options] { return render(*options, common); }; });
}

}  // namespace ringwave::cli
