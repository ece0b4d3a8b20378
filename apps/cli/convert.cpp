// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "apps/cli/audio_job.hpp"
#include "apps/cli/commands.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::cli {
namespace {

struct Options {
  AudioInput input;
  AudioOutput output;
  int channels = 0;  // 0: those of the input
};

int channels_out(const Options& options, const io::AudioReader& reader) {
  const int from = reader.channels();
  const int to = options.channels == 0 ? from : options.channels;
  if (to != from && to != 1 && from != 1)
    throw InvalidArgument(reader.name() + " has " + std::to_string(from) + " channels and " +
                          std::to_string(to) +
                          " were asked for; 1 is their mean, and only one can be copied to many");
  return to;
}

/// One channel from the mean of all, or many from one.
class ChannelChange {
 public:
  explicit ChannelChange(int channels) : channels_(channels) {}

  BlockView<const float> operator()(BlockView<const float> in) {
    if (in.channels() == channels_) return in;
    samples_.resize(static_cast<std::size_t>(channels_) * static_cast<std::size_t>(in.frames()));
    const BlockView<float> out(samples_.data(), channels_, in.frames());
    if (in.channels() == 1)
      for (int channel = 0; channel < channels_; ++channel)
        std::ranges::copy(in.channel(0), out.channel(channel).begin());
    else
      mix(in, out.channel(0));
    return out;
  }

 private:
  static void mix(BlockView<const float> in, std::span<float> out) {
    for (std::size_t n = 0; n < out.size(); ++n) {
      double sum = 0;
      for (int channel = 0; channel < in.channels(); ++channel)
        sum += static_cast<double>(in.channel(channel)[n]);
      out[n] = static_cast<float>(sum / in.channels());
    }
  }

  int channels_;
  std::vector<float> samples_;
};

ExitCode convert(const Options& options) {
  const trace::Span span("convert");
  AudioJob job(options.input);
  const io::AudioReader& reader = job.reader();
  const int channels = channels_out(options, reader);
  const bool copies = channels >= reader.channels();
  io::AudioWriter::Spec spec = options.output.faithful_spec(reader);
  spec.channels = channels;
  if (reader.exact_length()) spec.frames = reader.frames();
  // Samples that fit 16 bits as they are come out as they went in.
  spec.dither = !(copies && reader.bits() > 0 && reader.bits() <= 16);
  job.run("converting", options.output, spec, {.process = ChannelChange(channels), .keeps_level = copies});
  return ExitCode::ok;
}

}  // namespace

void add_convert(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "convert", "Write an audio file in another format");
  const auto options = std::make_shared<Options>();
  options->input.add_to(command);
  options->output.add_to(command);
  command
      .add_option("--channels", options->channels,
                  "So many channels: 1 is the mean of all, and one channel can be copied to many")
      ->check(CLI::Range(1, io::kMostFileChannels))
      ->type_name("N");
  command.callback([&run, options] { run = [options] { return convert(*options); }; });
}

}  // namespace ringwave::cli
