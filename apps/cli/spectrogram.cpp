// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectrogram.hpp"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string>

#include "apps/cli/audio_job.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/picture_path.hpp"
#include "apps/cli/spectrogram_chart.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/io/png_writer.hpp"

namespace ringwave::cli {
namespace {

struct Options {
  AudioInput input;
  std::string output;
  SpectrogramChart::Spec chart;
  int size = 2048;
  int hop = 0;  // 0: a quarter of the size
  std::string window = "hann";
  std::string scale = "log";
  std::string channel = "mix";
};

dsp::Window window_of_name(const std::string& name) {
  using Shape = dsp::Window::Shape;
  if (name == "hann") return {.shape = Shape::hann};
  if (name == "hamming") return {.shape = Shape::hamming};
  if (name == "blackman") return {.shape = Shape::blackman};
  if (name == "kaiser") return {.shape = Shape::kaiser};
  throw InvalidArgument("'" + name + "' is no window; use hann, hamming, blackman or kaiser");
}

/// What --channel says: mix, all, or a number from 1 on.
void choose_channel(const std::string& text, const io::AudioReader& reader, dsp::Spectrogram::Spec& spec) {
  using Channels = dsp::Spectrogram::Channels;
  if (text == "mix" || text == "all") {
    spec.show = text == "mix" ? Channels::mix : Channels::all;
    return;
  }
  int number = 0;
  const char* const end = text.data() + text.size();
  const bool is_number = std::from_chars(text.data(), end, number).ptr == end;
  if (!is_number || number < 1 || number > reader.channels())
    throw InvalidArgument("channel '" + text + "' of " + reader.name() + " was asked for, which has " +
                          std::to_string(reader.channels()) + "; use mix, all, or a number from 1 on");
  spec.show = Channels::one;
  spec.channel = number - 1;
}

dsp::Spectrogram::Spec spec_of(const Options& options, const io::AudioReader& reader) {
  dsp::Spectrogram::Spec spec{.channels = reader.channels(),
                              .sample_rate_hz = reader.sample_rate_hz(),
                              .size = options.size,
                              .hop = options.hop == 0 ? options.size / 4 : options.hop,
                              .window = window_of_name(options.window),
                              .scale = dsp::frequency_scale_of_name(options.scale)};
  choose_channel(options.channel, reader, spec);
  return spec;
}

/// Standard output may be the picture itself; then the line is left out.
void report(const Options& options, const dsp::Spectrogram& spectrogram) {
  if (options.output != "-")
    std::printf("wrote %s: %d x %d pixels, %lld frames at %d Hz\n", options.output.c_str(),
                options.chart.width, options.chart.height, static_cast<long long>(spectrogram.frames()),
                spectrogram.spec().sample_rate_hz);
  if (spectrogram.nonfinite_samples() > 0)
    std::fprintf(stderr, "ringwave: %llu samples were not finite and were taken as silence\n",
                 static_cast<unsigned long long>(spectrogram.nonfinite_samples()));
}

ExitCode draw(const Options& options) {
  const trace::Span span("spectrogram");
  require_png(options.output);
  AudioJob job(options.input);
  dsp::Spectrogram::Spec spec = spec_of(options, job.reader());
  SpectrogramChart::Spec chart_spec = options.chart;
  if (spec.show == dsp::Spectrogram::Channels::all) chart_spec.pictures = spec.channels;
  const SpectrogramChart chart(chart_spec);
  spec.width = chart.picture_width();
  spec.height = chart.picture_height();
  dsp::Spectrogram spectrogram(spec);
  io::ByteSink sink(options.output, Interruption::flag());  // now, so that hours of work are not for nothing
  job.analyse("drawing", [&](BlockView<float> block) { spectrogram.add(block); });
  if (spectrogram.frames() == 0)
    throw BadFile(job.reader().name() + " has no samples, and there is nothing to draw");
  spectrogram.finish();
  const std::string title = std::filesystem::path(job.reader().name()).filename().string();
  io::write_png(sink, chart.draw(spectrogram, title));
  Interruption::check();
  sink.commit();
  report(options, spectrogram);
  return ExitCode::ok;
}

void add_picture_options(CLI::App& command, SpectrogramChart::Spec& chart) {
  constexpr int kMostSide = 16384;
  command.add_option("--width", chart.width, "The picture's width in pixels")
      ->check(CLI::Range(1, kMostSide))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--height", chart.height, "Its height")
      ->check(CLI::Range(1, kMostSide))
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--bare", chart.bare, "The spectrogram alone, without axes, title and scale of colours");
  command.add_option("--palette", chart.palette, "The colours: " + io::Palette::names())
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--floor-db", chart.floor_db, "The level of the first colour")
      ->type_name("DB")
      ->capture_default_str();
  command
      .add_option("--ceiling-db", chart.ceiling_db, "The level of the last colour; 0 is a sine of full scale")
      ->type_name("DB")
      ->capture_default_str();
}

void add_analysis_options(CLI::App& command, Options& options) {
  command
      .add_option("--size", options.size,
                  "Samples of a transform, an even number; on a log or mel scale what is low has up to "
                  "sixteen times as many")
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--hop", options.hop,
                  "Samples from one transform to the next; a quarter of the size where this is absent")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command.add_option("--window", options.window, "hann, hamming, blackman or kaiser")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--scale", options.scale, "How frequencies are spaced: linear, log or mel")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--channel", options.channel,
                  "mix: the mean of all channels; all: each of them, one above the other; or one by its "
                  "number, from 1 on")
      ->type_name("CHANNEL")
      ->capture_default_str();
}

}  // namespace

void add_spectrogram(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "spectrogram",
                                  "Draw the spectrum of an audio file over time, as a PNG picture");
  const auto options = std::make_shared<Options>();
  options->input.add_to(command);
  command.add_option("--output,-o", options->output, "The picture to write, a .png; - is standard output")
      ->type_name("OUT")
      ->required();
  add_picture_options(command, options->chart);
  add_analysis_options(command, *options);
  command.callback([&run, options] { run = [options] { return draw(*options); }; });
}

}  // namespace ringwave::cli
