// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/effect.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::cli {
namespace {

/// Turns what is no number into silence; how many samples that were.
std::int64_t silence_nonfinite(BlockView<float> block) {
  std::int64_t found = 0;
  for (int channel = 0; channel < block.channels(); ++channel)
    for (float& sample : block.channel(channel))
      if (backend::is_nonfinite(sample) != 0) {
        sample = 0;
        ++found;
      }
  return found;
}

BlockView<const float> applied(const Effect& effect, BlockView<float> block) {
  if (const Status status = effect.process(block); status != Status::ok)
    throw DeviceLost(effect.task + " stopped because of the device: " + std::string(to_string(status)) +
                     "; try again with --device cpu");
  return block;
}

std::optional<std::int64_t> frames_out(const io::AudioReader& reader, const Effect& effect) {
  if (!reader.exact_length() || !reader.frames()) return std::nullopt;
  return *reader.frames() > 0 ? *reader.frames() + effect.tail_frames : 0;
}

}  // namespace

void run_effect(AudioJob& job, const AudioOutput& output, const Effect& effect) {
  io::AudioWriter::Spec spec = output.effect_spec(job.reader());
  spec.frames = frames_out(job.reader(), effect);
  std::int64_t nonfinite = 0;
  std::int64_t tail_left = 0;
  std::vector<float> tail;
  const auto process = [&](BlockView<float> block) {
    tail_left = effect.tail_frames;
    nonfinite += silence_nonfinite(block);
    return applied(effect, block);
  };
  const auto drain = [&]() -> BlockView<const float> {
    const auto count = static_cast<int>(std::min<std::int64_t>(job.block_frames(), tail_left));
    if (count == 0) return {};
    tail_left -= count;
    tail.assign(static_cast<std::size_t>(spec.channels) * static_cast<std::size_t>(count), 0.0F);
    return applied(effect, {tail.data(), spec.channels, count});
  };
  job.run(effect.task, output, spec, {.process = process, .drain = drain});
  if (nonfinite > 0)
    std::fprintf(stderr, "ringwave: %lld samples were not finite and were taken as silence\n",
                 static_cast<long long>(nonfinite));
}

}  // namespace ringwave::cli
