// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/audio_options.hpp"

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
}

io::AudioReader AudioInput::open() const {
  io::AudioReader::Options options{.stop = Interruption::flag()};
  if (raw_channels) options.raw = {.channels = *raw_channels, .sample_rate_hz = raw_rate_hz.value_or(48000)};
  return {path, options};
}

void AudioOutput::add_to(CLI::App& command) {
  command.add_option("--output,-o", path, "The audio file to write; - is standard output")
      ->type_name("OUT")
      ->required();
  command
      .add_option("--format", format,
                  "wav16, wav24, wav32f, flac, ogg or raw, instead of what OUT's ending means")
      ->type_name("FORMAT");
  command.add_flag("--no-dither", no_dither, "Round to 16 bits without dither");
}

io::AudioWriter::Spec AudioOutput::effect_spec(const io::AudioReader& input) const {
  io::AudioWriter::Spec spec{.channels = input.channels(), .sample_rate_hz = input.sample_rate_hz()};
  if (format.empty() && path != "-" && io::audio_format_of_path(path) == io::AudioFormat::wav16)
    spec.format = io::AudioFormat::wav32f;
  return spec;
}

io::AudioWriter AudioOutput::open(io::AudioWriter::Spec spec) const {
  if (!format.empty()) spec.format = io::audio_format_of_name(format);
  spec.dither = spec.dither && !no_dither;
  spec.stop = Interruption::flag();
  return {path, spec};
}

}  // namespace ringwave::cli
