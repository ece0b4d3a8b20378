// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/commands.hpp"
#include "apps/cli/effect.hpp"
#include "apps/cli/filter_chain.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/biquad.hpp"

namespace ringwave::cli {
namespace {

struct Options {
  AudioInput input;
  AudioOutput output;
  FilterChain chain;
};

ExitCode filter(const Options& options, Device device) {
  const trace::Span span("filter");
  AudioJob job(options.input);
  const auto sections = options.chain.sections(job.reader().sample_rate_hz());
  dsp::Biquad biquad(device, {.channels = job.reader().channels(), .max_block_frames = job.block_frames()},
                     sections);
  run_effect(job, options.output, {.task = "filtering", .process = [&](BlockView<float> block) {
                                     return biquad.process(block, block);
                                   }});
  return ExitCode::ok;
}

}  // namespace

void add_filter(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "filter",
                  "Filter an audio file, by every filter that is given, in their order; a .wav "
                  "OUT is float unless --format is given");
  const auto options = std::make_shared<Options>();
  options->input.add_to(command);
  options->output.add_to(command);
  options->chain.add_to(command);
  command.callback([&run, &common, options] {
    run = [&common, options] { return filter(*options, common.find_device()); };
  });
}

}  // namespace ringwave::cli
