// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include "apps/cli/commands.hpp"
#include "apps/cli/effect.hpp"
#include "apps/cli/impulse_response.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::cli {
namespace {

constexpr double kMostDecibels = 120;
constexpr int kMostBlockFrames = 1 << 20;  // more is no faster

struct Options {
  AudioInput input;
  AudioOutput output;
  std::string response;
  std::string mode = "automatic";
  int block_frames = AudioJob::kDefaultBlockFrames;
  double wet_db = 0;
  std::optional<double> dry_db;
  bool tail = false;
};

double factor(const char* flag, double decibels) {
  if (!(std::abs(decibels) <= kMostDecibels))
    throw InvalidArgument(std::string(flag) + " " + std::to_string(decibels) +
                          " was asked for; use -120 to 120 dB");
  return std::pow(10, decibels / 20);
}

ExitCode convolve(const Options& options, Device device) {
  const trace::Span span("convolve");
  const auto mode = dsp::convolver_mode(options.mode);
  const ImpulseResponse::Mix mix{.wet = factor("--wet-db", options.wet_db),
                                 .dry = options.dry_db ? factor("--dry-db", *options.dry_db) : 0};
  if (options.input.path == "-" && options.response == "-")
    throw InvalidArgument("IN and IR cannot both be standard input; give one of them as a file");
  AudioJob job(options.input, options.block_frames);
  const int channels = job.reader().channels();
  const ImpulseResponse response(options.response, job.reader(), mix);
  dsp::Convolver convolver(
      device,
      {.inputs = channels, .outputs = channels, .max_block_frames = options.block_frames, .mode = mode},
      response.paths());
  run_effect(job, options.output,
             {.task = "convolving",
              .process = [&](BlockView<float> block) { return convolver.process(block, block); },
              .tail_frames = options.tail ? response.frames() - 1 : 0});
  return ExitCode::ok;
}

void add_options(CLI::App& command, Options& options) {
  options.input.add_to(command);
  options.output.add_to(command);
  command
      .add_option("--ir", options.response,
                  "The impulse response, an audio file of IN's sample rate: one channel for all of IN's, one "
                  "for each, or for a stereo IN four in the order LL, LR, RL, RR, where LR leads from the "
                  "left input to the right output")
      ->type_name("IR")
      ->required();
  command
      .add_option("--mode", options.mode,
                  "How: automatic, direct, fft or partitioned; the result is the same but for rounding")
      ->type_name("MODE")
      ->capture_default_str();
  command
      .add_option("--block", options.block_frames,
                  "Frames of a block; the result is the same but for rounding")
      ->check(CLI::Range(1, kMostBlockFrames))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--wet-db", options.wet_db, "How loud the effect is")
      ->type_name("DB")
      ->capture_default_str();
  command
      .add_option("--dry-db", options.dry_db, "How loud IN itself is beside it; silent where this is absent")
      ->type_name("DB");
  command.add_flag("--tail", options.tail, "Write also what still rings when IN has ended");
}

}  // namespace

void add_convolve(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(
      app, common, "convolve",
      "Convolve an audio file with an impulse response; a .wav OUT is float unless --format is given");
  const auto options = std::make_shared<Options>();
  add_options(command, *options);
  command.callback([&run, &common, options] {
    run = [&common, options] { return convolve(*options, common.find_device()); };
  });
}

}  // namespace ringwave::cli
