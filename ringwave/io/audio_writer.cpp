// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/audio_writer.hpp"

#include <algorithm>
#include <cmath>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/io/audio_encoder.hpp"
#include "ringwave/io/byte_sink.hpp"

namespace ringwave::io {
namespace {

constexpr int kChunkSamples = 1 << 14;

bool is_float(AudioFormat format) {
  return format == AudioFormat::wav32f || format == AudioFormat::raw;
}

AudioFormat choose_format(const std::string& path, const AudioWriter::Spec& spec) {
  if (!spec.format && path == "-")
    throw InvalidArgument("standard output has no name that tells the audio format; name one, as wav16");
  return spec.format ? *spec.format : audio_format_of_path(path);
}

void require_shape(const std::string& path, AudioFormat format, int channels, int sample_rate_hz) {
  if (holds(format, channels, sample_rate_hz)) return;
  const bool wav_holds = holds(AudioFormat::wav16, channels, sample_rate_hz);
  throw InvalidArgument(
      (path == "-" ? "standard output" : path) + " was to be written with " + std::to_string(channels) +
      " channels at " + std::to_string(sample_rate_hz) + " Hz; " + std::string(to_string(format)) +
      " holds " + shapes_text(format) +
      (wav_holds ? "; use one of those, or write wav16, wav24 or wav32f" : "; use one of those"));
}

std::unique_ptr<AudioEncoder> make_encoder(ByteSink& sink, const AudioEncoder::Spec& spec) {
  switch (spec.format) {
    case AudioFormat::flac:
    case AudioFormat::flac16:
    case AudioFormat::ogg:
    case AudioFormat::opus:
    case AudioFormat::mp3:
      return make_sndfile_encoder(sink, spec);
    default:
      return make_wav_encoder(sink, spec);
  }
}

/// Vorbis, Opus and MP3 know only the usual loudspeakers; raw samples none.
bool has_place_for_speakers(AudioFormat format, const AudioWriter::Spec& spec) {
  if (spec.speakers == 0 || are_usual(spec.speakers, spec.channels)) return true;
  return format != AudioFormat::ogg && format != AudioFormat::opus && format != AudioFormat::mp3 &&
         format != AudioFormat::raw;
}

std::vector<std::string> what_is_left_out(AudioFormat format, const AudioWriter::Spec& spec) {
  std::vector<std::string> left_out = spec.tags.without_a_place_in(format);
  if (!has_place_for_speakers(format, spec)) left_out.emplace_back("which loudspeakers its channels are for");
  return left_out;
}

}  // namespace

AudioWriter::AudioWriter(const std::string& path, const Spec& spec)
    : channels_(spec.channels), format_(choose_format(path, spec)) {
  require_shape(path, format_, spec.channels, spec.sample_rate_hz);
  sink_ = std::make_unique<ByteSink>(path, spec.stop);
  encoder_ = make_encoder(*sink_, {format_, spec.channels, spec.sample_rate_hz, spec.frames, spec.dither,
                                   spec.speakers, spec.tags});
  left_out_ = what_is_left_out(format_, spec);
  interleaved_.reserve(static_cast<std::size_t>(std::max(kChunkSamples, channels_)));
}

AudioWriter::~AudioWriter() = default;
AudioWriter::AudioWriter(AudioWriter&&) noexcept = default;

void AudioWriter::write(BlockView<const float> block) {
  const trace::Span span("write audio");
  if (block.channels() != channels_)
    throw InvalidArgument("a block of " + std::to_string(block.channels()) +
                          " channels was to be written into " + sink_->name() + ", which has " +
                          std::to_string(channels_));
  const int most_frames = std::max(1, kChunkSamples / channels_);
  for (int begin = 0; begin < block.frames(); begin += most_frames) {
    const auto chunk = block.slice(begin, std::min(most_frames, block.frames() - begin));
    const auto frames = static_cast<std::size_t>(chunk.frames());
    const auto channels = static_cast<std::size_t>(channels_);
    interleaved_.resize(frames * channels);
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const auto plane = chunk.channel(static_cast<int>(channel));
      for (std::size_t n = 0; n < frames; ++n) interleaved_[n * channels + channel] = checked(plane[n]);
    }
    encoder_->encode(interleaved_);
    frames_ += chunk.frames();
  }
}

void AudioWriter::commit() {
  const trace::Span span("commit audio");
  encoder_->finish();
  sink_->commit();
}

float AudioWriter::checked(float sample) noexcept {
  if (backend::is_nonfinite(sample) != 0) {
    ++nonfinite_;
    return 0.0F;
  }
  if (!is_float(format_) && std::abs(sample) > 1.0F) ++clipped_;
  return sample;
}

}  // namespace ringwave::io
