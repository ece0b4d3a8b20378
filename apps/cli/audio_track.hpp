// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "apps/cli/audio_options.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/dsp/loudness.hpp"
#include "ringwave/io/audio_writer.hpp"

namespace ringwave::cli {

/// One of the audio files that a command writes, with a meter where a loudness is asked for.
class AudioTrack {
 public:
  /// Opens it. Throws as AudioWriter and Loudness. [setup]
  AudioTrack(const AudioOutput& output, const io::AudioWriter::Spec& spec, std::optional<double> asked_lufs);

  /// Appends a block. Throws as AudioWriter::write(). [setup]
  void write(BlockView<const float> block);

  /// Gives the file its name. Throws as AudioWriter::commit(). [setup]
  void commit() { writer_.commit(); }

  /// Says in one line what was written, and on standard error what is not as it was asked for. [setup]
  void report() const;

 private:
  std::string path_;
  io::AudioWriter::Spec spec_;
  std::optional<double> asked_lufs_;
  io::AudioWriter writer_;
  std::optional<dsp::Loudness> loudness_;
};

}  // namespace ringwave::cli
