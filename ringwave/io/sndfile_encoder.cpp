// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_encoder.hpp"
#include "ringwave/io/ogg_pages.hpp"
#include "ringwave/io/quantizer.hpp"
#include "ringwave/io/sndfile_stream.hpp"

namespace ringwave::io {
namespace {

constexpr double kVorbisCompression = 0.4;  // quality 6: about 190 kbit/s for stereo at 44.1 kHz
constexpr double kOpusCompression = 0.768;  // of 256 to 6 kbit/s for each channel, 64
constexpr int kOpusGranulesPerSecond = 48000;
constexpr int kOpusPacketsPerSecond = 50;
constexpr double kOpusDelaySeconds = 0.0065;  // of libopus, for music
constexpr double kMp3Compression = 0.2;       // LAME's V2: as many bits as it needs, about as Vorbis
constexpr std::size_t kLossyFrames = 1024;    // given at once: libvorbis decides by what it has got

/// What libsndfile calls a format, and how much it is to compress: 0 is the least, 1 the most.
struct Codec {
  int format;
  std::optional<double> compression = {};
};

Codec codec_of(AudioFormat format) {
  switch (format) {
    case AudioFormat::ogg:
      return {SF_FORMAT_OGG | SF_FORMAT_VORBIS, kVorbisCompression};
    case AudioFormat::opus:
      return {SF_FORMAT_OGG | SF_FORMAT_OPUS, kOpusCompression};
    case AudioFormat::mp3:
      return {SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, kMp3Compression};
    case AudioFormat::flac16:
      return {SF_FORMAT_FLAC | SF_FORMAT_PCM_16};
    default:
      return {SF_FORMAT_FLAC | SF_FORMAT_PCM_24};
  }
}

ChannelOrder order_in(AudioFormat format, int channels) {
  const bool reordered = format == AudioFormat::ogg || format == AudioFormat::opus;
  return reordered ? vorbis_order(channels) : ChannelOrder{};
}

class SndfileEncoder final : public AudioEncoder {
 public:
  SndfileEncoder(ByteSink& sink, const Spec& spec)
      : filter_(
            make_head_filter({spec.format, spec.channels, spec.sample_rate_hz, spec.tags, spec.speakers})),
        output_{&sink, filter_.get()},
        spec_(spec),
        order_(order_in(spec.format, spec.channels)),
        is_flac_(spec.format == AudioFormat::flac || spec.format == AudioFormat::flac16),
        quantizer_(spec.format == AudioFormat::flac16 ? 16 : 24,
                   spec.dither && spec.format == AudioFormat::flac16),
        integer_step_(spec.format == AudioFormat::flac16 ? 1 << 16 : 1 << 8) {
    Codec codec = codec_of(spec.format);
    SF_INFO info{};
    info.channels = spec.channels;
    info.samplerate = spec.sample_rate_hz;
    info.format = codec.format;
    if (sf_format_check(&info) != 0)
      file_.reset(sf_open_virtual(SndfileOutput::callbacks(), SFM_WRITE, &info, &output_));
    output_.thrown.rethrow();
    if (!file_)
      throw InvalidArgument("libsndfile cannot write " + std::string(to_string(spec.format)) + " with " +
                            std::to_string(spec.channels) + " channels at " +
                            std::to_string(spec.sample_rate_hz) + " Hz; write wav16, wav24 or wav32f");
    if (codec.compression)
      sf_command(file_.get(), SFC_SET_COMPRESSION_LEVEL, &*codec.compression, sizeof(double));
  }

  void encode(std::span<const float> interleaved) override {
    frames_ += static_cast<std::int64_t>(interleaved.size()) / spec_.channels;
    if (is_flac_) return write_integers(interleaved);
    for (const float sample : interleaved) {
      floats_.push_back(std::clamp(sample, -1.0F, 1.0F));
      if (floats_.size() == kLossyFrames * static_cast<std::size_t>(spec_.channels)) write_floats();
    }
  }

  void finish() override {
    const bool opus = spec_.format == AudioFormat::opus;
    const std::int64_t more_frames = opus ? frames_to_a_full_packet() : 0;
    floats_.resize(floats_.size() + static_cast<std::size_t>(more_frames * spec_.channels));
    write_floats();
    if (frames_ == 0 && !opus)
      sf_command(file_.get(), SFC_UPDATE_HEADER_NOW, nullptr, 0);  // else no frames, no header
    output_.holds_back = opus;
    const int status = sf_close(file_.release());
    output_.thrown.rethrow();
    const std::int64_t more_granules = more_frames * (kOpusGranulesPerSecond / spec_.sample_rate_hz);
    if (status != SF_ERR_NO_ERROR || (opus && !shorten_ogg(output_.held, more_granules))) fail();
    output_.write(output_.held);
  }

 private:
  [[noreturn]] void fail() const {
    throw BadFile(output_.sink->name() + " cannot be written: the " + std::string(to_string(spec_.format)) +
                  " encoder failed");
  }

  /// libsndfile ends an Opus stream with a packet as short as can be, and libopus loses what is in a packet
  /// that is shorter than the others. After so many silent frames the last one is full; they are taken off
  /// again where the stream says its end.
  [[nodiscard]] std::int64_t frames_to_a_full_packet() const {
    const int packet = spec_.sample_rate_hz / kOpusPacketsPerSecond;
    const auto delay = std::llround(kOpusDelaySeconds * spec_.sample_rate_hz);
    return (packet - (frames_ + delay) % packet) % packet;
  }

  void require_all(sf_count_t done, std::size_t samples) {
    output_.thrown.rethrow();
    if (done != static_cast<sf_count_t>(samples)) fail();
  }

  /// In the upper part of 32 bits, as libsndfile takes them.
  void write_integers(std::span<const float> samples) {
    integers_.resize(samples.size());
    std::ranges::transform(samples, integers_.begin(),
                           [&](float x) { return quantizer_(x) * integer_step_; });
    require_all(sf_write_int(file_.get(), integers_.data(), static_cast<sf_count_t>(integers_.size())),
                integers_.size());
  }

  void write_floats() {
    to_stream(order_, floats_);
    require_all(sf_write_float(file_.get(), floats_.data(), static_cast<sf_count_t>(floats_.size())),
                floats_.size());
    floats_.clear();
  }

  std::unique_ptr<HeadFilter> filter_;
  SndfileOutput output_;
  Spec spec_;
  ChannelOrder order_;
  bool is_flac_;
  Quantizer quantizer_;
  std::int32_t integer_step_;
  Sndfile file_;  // before output_ goes, it is closed
  std::int64_t frames_ = 0;
  std::vector<std::int32_t> integers_;
  std::vector<float> floats_;  // of lossy codecs, until there are kLossyFrames of them
};

}  // namespace

std::unique_ptr<AudioEncoder> make_sndfile_encoder(ByteSink& sink, const AudioEncoder::Spec& spec) {
  return std::make_unique<SndfileEncoder>(sink, spec);
}

}  // namespace ringwave::io
