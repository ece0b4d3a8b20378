// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/music_options.hpp"
#include "apps/cli/programme.hpp"
#include "ringwave/synth/patch.hpp"

namespace ringwave::cli {

/// The longest that may be asked for: a day.
inline constexpr double kMostSeconds = 86400;

/// The options that say what is played: a MIDI file or what is to be composed, a voice of one's own, and how
/// much of it.
class PieceOptions {
 public:
  void add_to(CLI::App& command, const std::string& seconds_description);

  /// Empty where a piece is composed. [any]
  [[nodiscard]] const std::string& midi() const noexcept { return midi_; }
  /// Of the first piece that is composed. [any]
  [[nodiscard]] std::uint64_t seed() const noexcept { return music_.seed(); }
  /// How much was asked for, if it was. Throws InvalidArgument. [setup]
  [[nodiscard]] std::optional<double> seconds() const;

  /// The built-in patches, and after them one's own. Throws BadFile. [setup]
  [[nodiscard]] std::vector<synth::Patch> patches() const;
  /// The MIDI file, or the piece of the seed that is `number` after the first. Throws BadFile and
  /// InvalidArgument. [setup]
  [[nodiscard]] Programme programme(int sample_rate_hz, int number = 0) const;

 private:
  std::string midi_;
  MusicOptions music_;
  std::string patch_;
  std::optional<double> seconds_;
};

}  // namespace ringwave::cli
