// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/audio_track.hpp"

#include <cmath>
#include <cstdio>

namespace ringwave::cli {

AudioTrack::AudioTrack(const AudioOutput& output, const io::AudioWriter::Spec& spec,
                       std::optional<double> asked_lufs)
    : path_(output.path), spec_(spec), asked_lufs_(asked_lufs), writer_(output.open(spec)) {
  if (asked_lufs) loudness_.emplace(dsp::Loudness::Spec{spec.channels, spec.sample_rate_hz});
}

void AudioTrack::write(BlockView<const float> block) {
  writer_.write(block);
  if (loudness_) loudness_->add(block);
}

void AudioTrack::report() const {
  constexpr double kNearLu = 0.5;
  report_written(path_, writer_, spec_);
  if (!loudness_) return;
  const double lufs = loudness_->integrated_lufs();
  if (loudness_->seconds(spec_.sample_rate_hz) < dsp::Loudness::kMomentarySeconds)
    std::fprintf(stderr, "ringwave: %s is too short to have a loudness; %g LUFS were asked for\n",
                 path_.c_str(), *asked_lufs_);
  else if (!std::isfinite(lufs))
    std::fprintf(stderr, "ringwave: %s is too soft to have a loudness; %g LUFS were asked for\n",
                 path_.c_str(), *asked_lufs_);
  else if (std::abs(lufs - *asked_lufs_) > kNearLu)
    std::fprintf(stderr,
                 "ringwave: %s has %.1f LUFS where %g were asked for: more gain is not to be had, or the "
                 "ceiling holds its peaks back\n",
                 path_.c_str(), lufs, *asked_lufs_);
}

}  // namespace ringwave::cli
