// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/audio_job.hpp"
#include "apps/cli/commands.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/rate_converter.hpp"
#include "ringwave/dsp/resampler_stream.hpp"

namespace ringwave::cli {
namespace {

using dsp::RateConverter;
using dsp::ResamplerStream;

constexpr const char* kOwnQuality = "finest";

struct Options {
  AudioInput input;
  AudioOutput output;
  int rate_hz = 0;
  std::string quality = kOwnQuality;
};

constexpr std::array kLibsoxrQualities{std::pair{"quick", RateConverter::Quality::quick},
                                       std::pair{"medium", RateConverter::Quality::medium},
                                       std::pair{"high", RateConverter::Quality::high},
                                       std::pair{"very-high", RateConverter::Quality::very_high}};

/// libsoxr's quality of that name; none for our own.
std::optional<RateConverter::Quality> quality_of(const std::string& name) {
  if (name == kOwnQuality) return {};
  for (const auto& [known, quality] : kLibsoxrQualities)
    if (name == known) return quality;
  throw InvalidArgument("'" + name +
                        "' is no quality; use finest, or libsoxr's quick, medium, high or very-high");
}

/// Frames of input that make about as many frames of output as a block has, and never more than a block.
int block_frames(int from_hz, int to_hz) {
  const std::int64_t frames = std::int64_t{AudioJob::kDefaultBlockFrames} * from_hz / to_hz;
  return static_cast<int>(std::clamp<std::int64_t>(frames, 1, AudioJob::kDefaultBlockFrames));
}

/// libsoxr with room for what it makes of a block.
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

void report_nonfinite(std::int64_t samples) {
  if (samples > 0)
    std::fprintf(stderr, "ringwave: %lld samples were not finite and were taken as silence\n",
                 static_cast<long long>(samples));
}

/// On the device that was asked for, in whole pieces.
void resample_here(AudioJob& job, const Options& options, const io::AudioWriter::Spec& spec, Device device) {
  ResamplerStream stream(device, {.channels = spec.channels,
                                  .from_hz = job.reader().sample_rate_hz(),
                                  .to_hz = options.rate_hz,
                                  .is_live = !std::filesystem::is_regular_file(options.input.path)});
  job.set_block_frames(std::min(stream.block_frames(), AudioJob::kDefaultBlockFrames));
  job.run("resampling", options.output, spec,
          {.process = [&](BlockView<float> block) { return stream.process(block); },
           .drain = [&] { return stream.finish(); }});
  report_nonfinite(stream.nonfinite_samples());
}

void resample_by_libsoxr(AudioJob& job, const Options& options, const io::AudioWriter::Spec& spec,
                         RateConverter::Quality quality) {
  const int from_hz = job.reader().sample_rate_hz();
  Conversion conversion(
      {.channels = spec.channels, .from_hz = from_hz, .to_hz = options.rate_hz, .quality = quality});
  job.set_block_frames(block_frames(from_hz, options.rate_hz));
  job.run("resampling", options.output, spec,
          {.process = [&](BlockView<float> block) { return conversion.process(block); },
           .drain = [&] { return conversion.drain(); }});
  report_nonfinite(conversion.nonfinite_samples());
}

/// libsoxr's quality: the one that was asked for, or its best for a ratio whose filter would be too long for
/// us. It computes on the CPU, so another device that was asked for is not taken in silence.
std::optional<RateConverter::Quality> libsoxr_quality(const Options& options,
                                                      const ResamplerStream::Spec& spec, Device device) {
  RateConverter::require_valid({.channels = spec.channels, .from_hz = spec.from_hz, .to_hz = spec.to_hz});
  auto quality = quality_of(options.quality);
  if (!quality && !ResamplerStream::fits(spec)) quality = RateConverter::Quality::very_high;
  if (quality && device.kind() == DeviceKind::cuda)
    throw InvalidArgument("device '" + device.name() + "' was asked for, and " +
                          std::to_string(spec.from_hz) + " to " + std::to_string(spec.to_hz) +
                          " Hz at this quality is done by libsoxr, on the CPU; use --device cpu");
  return quality;
}

ExitCode resample(const Options& options, Device device) {
  const trace::Span span("resample");
  (void)quality_of(options.quality);
  AudioJob job(options.input);
  const io::AudioReader& reader = job.reader();
  const int from_hz = reader.sample_rate_hz();
  const auto quality = libsoxr_quality(
      options, {.channels = reader.channels(), .from_hz = from_hz, .to_hz = options.rate_hz}, device);
  io::AudioWriter::Spec spec = options.output.effect_spec(reader);
  spec.sample_rate_hz = options.rate_hz;
  if (reader.exact_length() && reader.frames())
    spec.frames = RateConverter::output_frames(*reader.frames(), from_hz, options.rate_hz);
  if (quality)
    resample_by_libsoxr(job, options, spec, *quality);
  else
    resample_here(job, options, spec, device);
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
      .add_option(
          "--quality", options->quality,
          "finest (our own, on --device: aliases below -136 dB), or libsoxr's on one core: quick "
          "(cubic interpolation), medium (16 bits), high (20 bits, aliases below -120 dB) or very-high "
          "(28 bits), which also does ratios of uncommon rates")
      ->type_name("Q")
      ->capture_default_str();
  command.callback([&run, &common, options] {
    run = [&common, options] { return resample(*options, common.find_device()); };
  });
}

}  // namespace ringwave::cli
