// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/audio_job.hpp"

#include <string>
#include <vector>

#include "apps/cli/progress.hpp"

namespace ringwave::cli {

AudioJob::AudioJob(const AudioInput& input, int block_frames)
    : reader_(input.open()), block_frames_(block_frames) {}

void AudioJob::analyse(const std::string& task, const std::function<void(BlockView<float>)>& see) {
  const int channels = reader_.channels();
  std::vector<float> samples(static_cast<std::size_t>(channels) * static_cast<std::size_t>(block_frames_));
  const BlockView<float> block(samples.data(), channels, block_frames_);
  Progress progress(task, reader_.frames(), reader_.sample_rate_hz());
  std::int64_t done = 0;
  while (const int count = reader_.read(block)) {
    see(block.slice(0, count));
    done += count;
    progress.show(done);
    Interruption::check();
  }
}

void AudioJob::run(const std::string& task, const AudioOutput& output, const io::AudioWriter::Spec& spec,
                   const AudioProcess& process) {
  io::AudioWriter writer = output.open(spec);
  const auto write = [&](BlockView<const float> block) {
    if (!block.empty()) writer.write(block);
    return !block.empty();
  };
  analyse(task, [&](BlockView<float> block) { write(process.process(block)); });
  while (process.drain && write(process.drain())) Interruption::check();
  Interruption::check();
  writer.commit();
  report_written(output.path, writer, spec);
}

}  // namespace ringwave::cli
