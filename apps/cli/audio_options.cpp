// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/audio_options.hpp"

#include <cstdio>

#include "apps/cli/interruption.hpp"

namespace ringwave::cli {

void AudioInput::add_to(CLI::App& command) {
  command.add_option("input", path, "The audio file to read; - is standard input")
      ->type_name("IN")
      ->required();
  CLI::Option* channels =
      command
          .add_option("--raw-channels", raw_channels, "IN is float32 without a header, of so many channels")
          ->type_name("N");
  command.add_option("--raw-rate", raw_rate_hz, "The sample rate of an IN without a header")
      ->needs(channels)
      ->type_name("HZ");
  command.add_flag("--salvage", salvage,
                   "Of an IN that is cut short or damaged, take what is before the break");
}

io::AudioReader AudioInput::open() const {
  io::AudioReader::Options options{.stop = Interruption::flag(), .salvage = salvage};
  if (raw_channels) options.raw = {.channels = *raw_channels, .sample_rate_hz = raw_rate_hz.value_or(48000)};
  return {path, options};
}

void AudioOutput::add_to(CLI::App& command) {
  command.add_option("--output,-o", path, "The audio file to write; - is standard output")
      ->type_name("OUT")
      ->required();
  command
      .add_option("--format", format,
                  "wav16, wav24, wav32f, flac, flac16, ogg, opus, mp3 or raw, instead of what OUT's ending "
                  "means. For "
                  "stereo, opus has about 128 kbit/s, ogg and mp3 have about 190")
      ->type_name("FORMAT");
  command.add_flag("--no-dither", no_dither, "Round to 16 bits without dither");
}

io::AudioWriter::Spec AudioOutput::effect_spec(const io::AudioReader& input) const {
  io::AudioWriter::Spec spec{.channels = input.channels(), .sample_rate_hz = input.sample_rate_hz()};
  if (format.empty() && path != "-" && io::audio_format_of_path(path) == io::AudioFormat::wav16)
    spec.format = io::AudioFormat::wav32f;
  return spec;
}

io::AudioWriter::Spec AudioOutput::faithful_spec(const io::AudioReader& input) const {
  io::AudioWriter::Spec spec{.channels = input.channels(), .sample_rate_hz = input.sample_rate_hz()};
  const bool by_path = format.empty() && path != "-";
  if (by_path) spec.format = io::audio_format_of_path(path);
  if (!format.empty()) spec.format = io::audio_format_of_name(format);
  const bool leaves_a_choice =
      by_path || spec.format == io::AudioFormat::flac;  // wav16 is the name of a depth
  if (spec.format && leaves_a_choice)
    spec.format = io::format_for_depth(*spec.format, input.bits(), input.holds_float());
  return spec;
}

io::AudioWriter AudioOutput::open(io::AudioWriter::Spec spec) const {
  if (!spec.format && !format.empty()) spec.format = io::audio_format_of_name(format);
  spec.dither = spec.dither && !no_dither;
  spec.stop = Interruption::flag();
  return {path, spec};
}

void report_written(const std::string& path, const io::AudioWriter& writer,
                    const io::AudioWriter::Spec& spec) {
  const std::string format(io::to_string(writer.format()));
  if (path != "-")
    std::printf("wrote %s: %s, %d %s, %d Hz, %lld frames\n", path.c_str(), format.c_str(), spec.channels,
                spec.channels == 1 ? "channel" : "channels", spec.sample_rate_hz,
                static_cast<long long>(writer.frames()));
  if (!writer.left_out().empty()) {
    std::string left_out;
    for (const std::string& what : writer.left_out()) left_out += (left_out.empty() ? "" : ", ") + what;
    std::fprintf(stderr, "ringwave: %s has no place for %s: that is left out\n",
                 path == "-" ? "standard output" : path.c_str(), left_out.c_str());
  }
  if (writer.clipped_samples() > 0)
    std::fprintf(stderr, "ringwave: %lld samples were beyond full scale and are clipped; wav32f holds them\n",
                 static_cast<long long>(writer.clipped_samples()));
  if (writer.nonfinite_samples() > 0)
    std::fprintf(stderr, "ringwave: %lld samples were not finite and are silence now\n",
                 static_cast<long long>(writer.nonfinite_samples()));
}

}  // namespace ringwave::cli
