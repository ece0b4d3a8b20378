// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "apps/cli/commands.hpp"
#include "apps/cli/effect.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/graphic_eq.hpp"

namespace ringwave::cli {
namespace {

struct Options {
  AudioInput input;
  AudioOutput output;
  dsp::GraphicEq::Spec spec{.smooth_frames = 0};  // the gains hold from the first frame on
  std::vector<double> gains_db;
};

void set_gains(dsp::GraphicEq& eq, const Options& options) {
  if (static_cast<int>(options.gains_db.size()) != options.spec.bands)
    throw InvalidArgument(std::to_string(options.gains_db.size()) + " gains were given for " +
                          std::to_string(options.spec.bands) + " bands; give one for each");
  if (!eq.set_gains_db(options.gains_db))
    throw InvalidArgument("a gain of the equaliser is out of range; use -24 to 24 dB");
}

ExitCode equalise(const Options& options, Device device) {
  const trace::Span span("eq");
  AudioJob job(options.input);
  dsp::GraphicEq::Spec spec = options.spec;
  spec.channels = job.reader().channels();
  spec.max_block_frames = job.block_frames();
  spec.sample_rate_hz = job.reader().sample_rate_hz();
  dsp::GraphicEq eq(device, spec);
  set_gains(eq, options);
  run_effect(job, options.output, {.task = "equalising", .process = [&](BlockView<float> block) {
                                     return eq.process(block, block);
                                   }});
  return ExitCode::ok;
}

void add_options(CLI::App& command, Options& options) {
  options.input.add_to(command);
  options.output.add_to(command);
  command.add_option("--bands", options.spec.bands, "So many bands, 2 to 31")
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--gains-db", options.gains_db,
                  "The gain of every band, from the lowest on, -24 to 24, with commas between them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("DB,DB,…")
      ->required();
  command.add_option("--lowest-hz", options.spec.lowest_hz, "The centre of the first band")
      ->type_name("HZ")
      ->capture_default_str();
  command.add_option("--highest-hz", options.spec.highest_hz, "The centre of the last band")
      ->type_name("HZ")
      ->capture_default_str();
}

}  // namespace

void add_eq(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "eq",
                  "Equalise an audio file by bands that are evenly spaced by ear; a .wav OUT is "
                  "float unless --format is given");
  const auto options = std::make_shared<Options>();
  add_options(command, *options);
  command.callback([&run, &common, options] {
    run = [&common, options] { return equalise(*options, common.find_device()); };
  });
}

}  // namespace ringwave::cli
