// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "apps/cli/audio_options.hpp"
#include "apps/cli/interruption.hpp"
#include "ringwave/core/block_view.hpp"

namespace ringwave::cli {

/// What a job does to its blocks.
struct AudioProcess {
  /// Takes the next frames of the input, which it may overwrite, and gives the next of the output: the same
  /// memory or its own, as many frames as it likes, valid until the next call.
  std::function<BlockView<const float>(BlockView<float>)> process;

  /// Gives what is left when the input has ended, again and again until it gives an empty block. May be
  /// absent.
  std::function<BlockView<const float>()> drain = {};

  /// Whether the output is as loud as the input, so that what its tags say of that stays true.
  bool keeps_level = false;
};

/// A command's work on an audio file: reads it block by block, shows the progress on a terminal, and stops at
/// a signal with Interrupted, leaving no output under its name.
///
///   AudioJob job(input);
///   job.run("filtering", output, {.channels = job.reader().channels(), …}, {.process = …});
class AudioJob {
 public:
  static constexpr int kDefaultBlockFrames = 16384;

  /// Opens the input. No block has more than `block_frames` frames. Throws as AudioReader. [setup]
  explicit AudioJob(const AudioInput& input, int block_frames = kDefaultBlockFrames);

  [[nodiscard]] const io::AudioReader& reader() const noexcept { return reader_; }
  [[nodiscard]] int block_frames() const noexcept { return block_frames_; }

  /// From now on no block has more than `block_frames` frames, at least 1: where that depends on the input.
  /// [setup]
  void set_block_frames(int block_frames) noexcept { block_frames_ = block_frames; }

  /// Shows every block of the input to `see`, and says on standard error what is missing from one that is
  /// salvaged. `task` is the word before the progress. Throws as AudioReader::read() and `see`; Interrupted.
  /// [setup]
  void analyse(const std::string& task, const std::function<void(BlockView<float>)>& see);

  /// Writes what `process` makes of the input with the input's tags, and says in one line what was written,
  /// and on standard error what had no place in it, was clipped or no number. Throws as AudioReader,
  /// AudioWriter and `process`; Interrupted. [setup]
  void run(const std::string& task, const AudioOutput& output, const io::AudioWriter::Spec& spec,
           const AudioProcess& process);

 private:
  [[nodiscard]] io::AudioWriter::Spec with_the_inputs_own(io::AudioWriter::Spec spec, bool keeps_level) const;

  Interruption interruption_;
  bool salvage_;
  io::AudioReader reader_;
  int block_frames_;
};

}  // namespace ringwave::cli
