// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/audio_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/io/audio_decoder.hpp"
#include "ringwave/io/audio_format.hpp"
#include "ringwave/io/byte_source.hpp"
#include "ringwave/io/file_signature.hpp"
#include "ringwave/io/torn_end.hpp"

namespace ringwave::io {
namespace {

constexpr int kChunkSamples = 1 << 14;

bool is_shape(int channels, int sample_rate_hz) {
  return channels >= 1 && channels <= kMostFileChannels && sample_rate_hz >= kLeastSampleRateHz &&
         sample_rate_hz <= kMostSampleRateHz;
}

std::string shape_text(int channels, int sample_rate_hz) {
  return std::to_string(channels) + " channels at " + std::to_string(sample_rate_hz) + " Hz";
}

std::string possible_shapes() {
  return "1 to " + std::to_string(kMostFileChannels) + " channels at " + std::to_string(kLeastSampleRateHz) +
         " to " + std::to_string(kMostSampleRateHz) + " Hz";
}

void require_raw_shape(const std::string& path, const std::optional<AudioReader::Raw>& raw) {
  if (!raw && is_raw_path(path))
    throw InvalidArgument(path + " has no header by its name; say how many channels it has and at what rate");
  if (raw && !is_shape(raw->channels, raw->sample_rate_hz))
    throw InvalidArgument("raw samples were said to have " + shape_text(raw->channels, raw->sample_rate_hz) +
                          "; use " + possible_shapes());
}

}  // namespace

AudioReader::AudioReader(const std::string& path, const Options& options) : salvage_(options.salvage) {
  const trace::Span span("open audio");
  require_raw_shape(path, options.raw);
  source_ = std::make_unique<ByteSource>(path, options.stop);
  if (options.raw)
    decoder_ = make_raw_decoder(*source_, options.raw->channels, options.raw->sample_rate_hz, salvage_);
  else
    open(FileSignature::read(*source_));
  require_shape();
  interleaved_.resize(static_cast<std::size_t>(std::max(1, kChunkSamples / channels())) *
                      static_cast<std::size_t>(channels()));
}

/// Of what is cut short, it says how much can be read: the decoder knows that, if it can open it at all.
void AudioReader::open(FileSignature signature) {
  if (signature.begins_at_its_end()) source_->spool();
  const auto torn = torn_end(*source_, signature);
  if (torn && !torn->corrections.empty()) signature.corrections = torn->corrections;
  try {
    decoder_ = signature.family == FileSignature::Family::mp3 ? make_mp3_decoder(*source_)
                                                              : make_sndfile_decoder(*source_, signature);
  } catch (const BadFile&) {
    if (!torn || salvage_) throw;
  }
  if (!torn) return;
  const bool counted = decoder_ && frames() && exact_length();
  break_off(torn->missing + (counted ? ", which hold " + std::to_string(*frames()) + " frames" : ""));
}

AudioReader::~AudioReader() = default;
AudioReader::AudioReader(AudioReader&&) noexcept = default;

int AudioReader::channels() const noexcept {
  return decoder_->info().channels;
}

int AudioReader::sample_rate_hz() const noexcept {
  return decoder_->info().sample_rate_hz;
}

std::optional<std::int64_t> AudioReader::frames() const noexcept {
  return decoder_->info().frames;
}

bool AudioReader::exact_length() const noexcept {
  return decoder_->info().exact_length;
}

int AudioReader::bits() const noexcept {
  return decoder_->info().bits;
}

bool AudioReader::holds_float() const noexcept {
  return decoder_->info().holds_float;
}

Speakers AudioReader::speakers() const noexcept {
  return decoder_->info().speakers;
}

const AudioTags& AudioReader::tags() const noexcept {
  return decoder_->info().tags;
}

const std::string& AudioReader::name() const noexcept {
  return source_->name();
}

int AudioReader::read(BlockView<float> block) {
  const trace::Span span("read audio");
  if (block.channels() != channels())
    throw InvalidArgument("a block of " + std::to_string(block.channels()) +
                          " channels was to be read from " + name() + ", which has " +
                          std::to_string(channels()));
  int filled = 0;
  while (filled < block.frames()) {
    const int wanted = std::min(block.frames() - filled, static_cast<int>(interleaved_.size()) / channels());
    const auto stride = static_cast<std::size_t>(channels());
    const auto chunk = std::span(interleaved_).first(static_cast<std::size_t>(wanted) * stride);
    const int count = decode(chunk);
    for (std::size_t channel = 0; channel < stride; ++channel) {
      const auto plane = block.slice(filled, count).channel(static_cast<int>(channel));
      for (std::size_t n = 0; n < plane.size(); ++n) plane[n] = chunk[n * stride + channel];
    }
    filled += count;
    done_ += count;
    if (count > 0) continue;
    require_whole();
    break;
  }
  return filled;
}

/// Frames of the next piece; where it is damaged and to be salvaged, the end.
int AudioReader::decode(std::span<float> interleaved) {
  try {
    return static_cast<int>(decoder_->decode(interleaved));
  } catch (const BadFile& damaged) {
    // What breaks off within a frame is damage to a decoder.
    std::array<std::byte, 1> more{};
    if (source_->read(more) == 0) require_whole();
    if (!salvage_) throw;
    if (!damage_) damage_ = std::string(damaged.what()) + ", after " + std::to_string(done_) + " frames";
    return 0;
  }
}

void AudioReader::require_shape() const {
  if (!is_shape(channels(), sample_rate_hz()))
    throw BadFile(name() + " says that it has " + shape_text(channels(), sample_rate_hz()) +
                  "; Ringwave reads " + possible_shapes());
}

/// The end is there: it may not be there before the input's own word for it.
void AudioReader::require_whole() {
  const AudioDecoder::Info& info = decoder_->info();
  if (!damage_ && info.exact_length && info.frames && done_ < *info.frames)
    break_off(std::to_string(done_) + " of " + std::to_string(*info.frames) + " frames are there");
}

/// One rule for every format: what is cut short is an error, unless what is there is asked for.
void AudioReader::break_off(const std::string& damage) {
  damage_ = name() + " is cut short: " + damage;
  if (!salvage_) throw BadFile(*damage_ + "; copy it again, or read what is there with --salvage");
}

}  // namespace ringwave::io
