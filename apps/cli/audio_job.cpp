// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/audio_job.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "apps/cli/progress.hpp"

namespace ringwave::cli {

AudioJob::AudioJob(const AudioInput& input, int block_frames)
    : salvage_(input.salvage), reader_(input.open()), block_frames_(block_frames) {}

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
  if (reader_.damage())
    std::fprintf(stderr, "ringwave: %s; what is there is taken\n", reader_.damage()->c_str());
}

/// The tags, and for as many channels the loudspeakers. What is salvaged may be shorter than it says.
io::AudioWriter::Spec AudioJob::with_the_inputs_own(io::AudioWriter::Spec spec, bool keeps_level) const {
  if (salvage_) spec.frames.reset();
  if (spec.channels == reader_.channels()) spec.speakers = reader_.speakers();
  spec.tags = reader_.tags();
  spec.tags.change_rate(reader_.sample_rate_hz(), spec.sample_rate_hz);
  if (!keeps_level) spec.tags.drop_levels();
  return spec;
}

void AudioJob::run(const std::string& task, const AudioOutput& output, const io::AudioWriter::Spec& spec,
                   const AudioProcess& process) {
  io::AudioWriter writer = output.open(with_the_inputs_own(spec, process.keeps_level));
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
