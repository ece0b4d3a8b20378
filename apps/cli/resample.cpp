// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/audio_job.hpp"
#include "apps/cli/commands.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/rate_converter.hpp"

namespace ringwave::cli {
namespace {

using dsp::RateConverter;

struct Options {
  AudioInput input;
  AudioOutput output;
  int rate_hz = 0;
  std::string quality = "high";
};

constexpr std::array kQualities{std::pair{"quick", RateConverter::Quality::quick},
                                std::pair{"medium", RateConverter::Quality::medium},
                                std::pair{"high", RateConverter::Quality::high},
                                std::pair{"very-high", RateConverter::Quality::very_high}};

RateConverter::Quality quality_of(const std::string& name) {
  for (const auto& [known, quality] : kQualities)
    if (name == known) return quality;
  throw InvalidArgument("'" + name + "' is no quality; use quick, medium, high or very-high");
}

/// Frames of input that make about as many frames of output as a block has, and never more than a block.
int block_frames(int from_hz, int to_hz) {
  const std::int64_t frames = std::int64_t{AudioJob::kDefaultBlockFrames} * from_hz / to_hz;
  return static_cast<int>(std::clamp<std::int64_t>(frames, 1, AudioJob::kDefaultBlockFrames));
}

/// A converter with room for what it makes of a block.
class Conversion {
 public:
  explicit Conversion(const RateConverter::Spec& spec) : channels_(spec.channels), converter_(spec) {}

  BlockView<const float> process(BlockView<const float> in) {
    made_ = 0;
    for (int taken = 0; taken < in.frames();) {
      const auto step = converter_.process(in.slice(taken, in.frames() - taken), room());
      taken += step.taken;
      made_ += step.made;
    }
    return made();
  }

  BlockView<const float> drain() {
    made_ = 0;
    made_ = converter_.finish(room());
    return made();
  }

  [[nodiscard]] std::int64_t nonfinite_samples() const noexcept { return converter_.nonfinite_samples(); }

 private:
  [[nodiscard]] BlockView<float> made() noexcept { return {samples_.data(), channels_, made_, frames_}; }

  /// What is free behind the frames of this call; more where it is full.
  BlockView<float> room() {
    if (made_ == frames_) {
      std::vector<float> wider(static_cast<std::size_t>(channels_) *
                               static_cast<std::size_t>(frames_ + AudioJob::kDefaultBlockFrames));
      const BlockView<float> next(wider.data(), channels_, frames_ + AudioJob::kDefaultBlockFrames);
      for (int channel = 0; channel < channels_; ++channel)
        std::ranges::copy(made().channel(channel), next.channel(channel).begin());
      samples_ = std::move(wider);
      frames_ = next.frames();
    }
    return {samples_.data() + made_, channels_, frames_ - made_, frames_};
  }

  int channels_;
  RateConverter converter_;
  std::vector<float> samples_;  // [channel][frames_]
  int frames_ = 0;
  int made_ = 0;
};

ExitCode resample(const Options& options) {
  const trace::Span span("resample");
  const RateConverter::Quality quality = quality_of(options.quality);
  AudioJob job(options.input);
  const io::AudioReader& reader = job.reader();
  Conversion conversion({.channels = reader.channels(),
                         .from_hz = reader.sample_rate_hz(),
                         .to_hz = options.rate_hz,
                         .quality = quality});
  job.set_block_frames(block_frames(reader.sample_rate_hz(), options.rate_hz));
  io::AudioWriter::Spec spec = options.output.effect_spec(reader);
  spec.sample_rate_hz = options.rate_hz;
  if (reader.exact_length() && reader.frames())
    spec.frames = RateConverter::output_frames(*reader.frames(), reader.sample_rate_hz(), options.rate_hz);
  job.run("resampling", options.output, spec,
          {.process = [&](BlockView<float> block) { return conversion.process(block); },
           .drain = [&] { return conversion.drain(); }});
  if (conversion.nonfinite_samples() > 0)
    std::fprintf(stderr, "ringwave: %lld samples were not finite and were taken as silence\n",
                 static_cast<long long>(conversion.nonfinite_samples()));
  return ExitCode::ok;
}

}  // namespace

void add_resample(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "resample",
                                  "Write an audio file at another sample rate; a .wav OUT is float unless "
                                  "--format is given");
  const auto options = std::make_shared<Options>();
  options->input.add_to(command);
  options->output.add_to(command);
  command.add_option("--rate", options->rate_hz, "The sample rate of OUT, 1000 to 768000")
      ->type_name("HZ")
      ->required();
  command
      .add_option("--quality", options->quality,
                  "quick (cubic interpolation), medium (16 bits), high (20 bits, aliases below -120 dB) or "
                  "very-high (28 bits)")
      ->type_name("Q")
      ->capture_default_str();
  command.callback([&run, options] { run = [options] { return resample(*options); }; });
}

}  // namespace ringwave::cli
