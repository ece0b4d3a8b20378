// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "apps/cli/audio_job.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::cli {

/// What a command does to a whole file, block by block in place, with as many channels out as in.
struct Effect {
  std::string task;  ///< the word before the progress
  std::function<Status(BlockView<float>)> process;
  std::int64_t tail_frames = 0;  ///< how long it still sounds after the last frame, to be written too
};

/// Writes the effect on the job's input. NaN and infinite samples are taken as silence, so that they do not
/// stay in an effect's memory, and are told on standard error. An input without frames gives an output
/// without frames. Throws as AudioJob::run(), and DeviceLost. [setup]
void run_effect(AudioJob& job, const AudioOutput& output, const Effect& effect);

}  // namespace ringwave::cli
