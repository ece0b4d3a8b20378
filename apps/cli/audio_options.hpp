// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "ringwave/io/audio_reader.hpp"
#include "ringwave/io/audio_writer.hpp"

namespace ringwave::cli {

/// Where a command reads audio from.
struct AudioInput {
  std::string path;
  std::optional<int> raw_channels;
  std::optional<int> raw_rate_hz;
  bool salvage = false;

  /// Adds IN, --raw-channels, --raw-rate and --salvage. [setup]
  void add_to(CLI::App& command);

  /// Opens it; a wait ends with Interrupted after a signal. Throws as AudioReader. [setup]
  [[nodiscard]] io::AudioReader open() const;
};

/// Where a command writes audio to.
struct AudioOutput {
  std::string path;
  std::string format;  ///< empty: what the path's ending means
  bool no_dither = false;

  /// Adds --output, --format and --no-dither. [setup]
  void add_to(CLI::App& command);

  /// What suits an effect on `input`: its channels and rate, and float where the path's ending means WAV,
  /// because an effect may go beyond full scale. Throws InvalidArgument for a path that does not tell the
  /// format. [setup]
  [[nodiscard]] io::AudioWriter::Spec effect_spec(const io::AudioReader& input) const;

  /// What suits `input` unchanged: its channels, its rate, and its depth where --format or the path's ending
  /// leave a choice. Throws InvalidArgument for a name that is no format. [setup]
  [[nodiscard]] io::AudioWriter::Spec faithful_spec(const io::AudioReader& input) const;

  /// Opens it as `spec` says, in the format of --format where `spec` names none; the rest is filled in here.
  /// Throws as AudioWriter. [setup]
  [[nodiscard]] io::AudioWriter open(io::AudioWriter::Spec spec) const;
};

/// Says in one line what was written, unless standard output is the audio itself, and on standard error what
/// had no place in it, was clipped or no number. [setup]
void report_written(const std::string& path, const io::AudioWriter& writer,
                    const io::AudioWriter::Spec& spec);

}  // namespace ringwave::cli
