// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/audio_job.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "apps/cli/progress.hpp"

namespace ringwave::cli {
namespace {

/// Standard output may be the audio itself; then the line is left out.
void report(const AudioOutput& output, const io::AudioWriter& writer, const io::AudioWriter::Spec& spec) {
  const std::string format(io::to_string(writer.format()));
  if (output.path != "-")
    std::printf("wrote %s: %s, %d %s, %d Hz, %lld frames\n", output.path.c_str(), format.c_str(),
                spec.channels, spec.channels == 1 ? "channel" : "channels", spec.sample_rate_hz,
                static_cast<long long>(writer.frames()));
  if (writer.clipped_samples() > 0)
    std::fprintf(stderr, "ringwave: %lld samples were beyond full scale and are clipped; wav32f holds them\n",
                 static_cast<long long>(writer.clipped_samples()));
  if (writer.nonfinite_samples() > 0)
    std::fprintf(stderr, "ringwave: %lld samples were not finite and are silence now\n",
                 static_cast<long long>(writer.nonfinite_samples()));
}

}  // namespace

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
  report(output, writer, spec);
}

}  // namespace ringwave::cli
