// SPDX-License-Identifier: Apache-2.0
// The only file that knows libsndfile. It reads and writes through our sources and sinks, so that pipes,
// stops and full disks are ours to answer for.
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_decoder.hpp"
#include "ringwave/io/audio_encoder.hpp"
#include "ringwave/io/file_signature.hpp"
#include "ringwave/io/ogg_pages.hpp"
#include "ringwave/io/quantizer.hpp"

namespace ringwave::io {
namespace {

constexpr sf_count_t kEndless = sf_count_t{1} << 60;  // what a pipe's length is said to be
constexpr double kVorbisCompression = 0.4;            // quality 6: about 190 kbit/s for stereo at 44.1 kHz
constexpr double kOpusCompression = 0.768;            // of 256 to 6 kbit/s for each channel, 64
constexpr int kOpusGranulesPerSecond = 48000;
constexpr int kOpusPacketsPerSecond = 50;
constexpr double kOpusDelaySeconds = 0.0065;  // of libopus, for music
constexpr double kMp3Compression = 0.2;       // LAME's V2: as many bits as it needs, about as Vorbis
constexpr std::size_t kLossyFrames = 1024;    // given at once: libvorbis decides by what it has got

struct CloseFile {
  void operator()(SNDFILE* file) const noexcept { sf_close(file); }
};
using File = std::unique_ptr<SNDFILE, CloseFile>;

/// An exception may not cross libsndfile's C: it waits here until the call has come back.
class Thrown {
 public:
  template <class Result, class Call>
  Result keep(Result failed, Call call) noexcept {
    try {
      if (!exception_) return call();
    } catch (...) {
      exception_ = std::current_exception();
    }
    return failed;
  }

  void rethrow() {
    if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
  }

 private:
  std::exception_ptr exception_;
};

sf_count_t target_of(sf_count_t offset, int whence, sf_count_t position, sf_count_t end) {
  if (whence == SEEK_SET) return offset;
  return whence == SEEK_CUR ? position + offset : end + offset;
}

/// A source as libsndfile wants it.
struct Input {
  ByteSource* source;
  Thrown thrown;

  static Input& of(void* self) { return *static_cast<Input*>(self); }

  static sf_count_t length(void* self) { return of(self).source->size().value_or(kEndless); }
  static sf_count_t tell(void* self) { return of(self).source->position(); }
  static sf_count_t seek(sf_count_t offset, int whence, void* self) {
    ByteSource& source = *of(self).source;
    return of(self).thrown.keep(sf_count_t{-1}, [&] {
      const bool done = source.seek(target_of(offset, whence, source.position(), length(self)));
      return done ? source.position() : sf_count_t{-1};
    });
  }
  static sf_count_t read(void* data, sf_count_t count, void* self) {
    return of(self).thrown.keep(sf_count_t{0}, [&] {
      const auto bytes = std::span(static_cast<std::byte*>(data), static_cast<std::size_t>(count));
      return static_cast<sf_count_t>(of(self).source->read(bytes));
    });
  }
  static sf_count_t write(const void*, sf_count_t, void*) { return 0; }
};

/// A sink as libsndfile wants it. A pipe cannot be gone back in: what would be written a second time, lengths
/// that are known at the end only, is left out. MP3's first frame, where its length would be, is silence
/// then.
struct Output {
  ByteSink* sink;
  Thrown thrown;
  sf_count_t position = 0;
  sf_count_t end = 0;
  bool holds_back = false;  // from here on, for `held`
  std::vector<std::byte> held = {};

  static Output& of(void* self) { return *static_cast<Output*>(self); }

  static sf_count_t length(void* self) { return of(self).end; }
  static sf_count_t tell(void* self) { return of(self).position; }
  static sf_count_t seek(sf_count_t offset, int whence, void* self) {
    Output& output = of(self);
    return output.thrown.keep(sf_count_t{-1}, [&] {
      output.position = target_of(offset, whence, output.position, output.end);
      if (output.sink->seekable()) output.sink->seek(output.position);
      return output.position;
    });
  }
  static sf_count_t read(void*, sf_count_t, void*) { return 0; }
  static sf_count_t write(const void* data, sf_count_t count, void* self) {
    Output& output = of(self);
    return output.thrown.keep(sf_count_t{0}, [&] {
      const auto bytes = std::span(static_cast<const std::byte*>(data), static_cast<std::size_t>(count));
      if (output.holds_back)
        output.held.insert(output.held.end(), bytes.begin(), bytes.end());
      else if (output.sink->seekable() || output.position == output.end)
        output.sink->write(bytes);
      output.position += count;
      output.end = std::max(output.end, output.position);
      return count;
    });
  }
};

template <class Stream>
SF_VIRTUAL_IO* callbacks() {
  static SF_VIRTUAL_IO io{Stream::length, Stream::seek, Stream::read, Stream::write, Stream::tell};
  return &io;
}

int bits_of(int format) {
  switch (format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
      return 8;  // of the two laws, at most 14
    case SF_FORMAT_PCM_16:
      return 16;
    case SF_FORMAT_PCM_24:
      return 24;
    case SF_FORMAT_PCM_32:
      return 32;
    default:
      return 0;
  }
}

bool has_exact_length(int format) {
  const int container = format & SF_FORMAT_TYPEMASK;
  return container != SF_FORMAT_OGG && container != SF_FORMAT_MPEG;
}

/// A length of our own invention is none, and FLAC's 0 means that its encoder did not know.
bool says_length(const SF_INFO& info, const FileSignature& signature) {
  const bool invented = info.frames >= kEndless / std::max(1, info.channels * 8);
  const bool unknown_flac = signature.family == FileSignature::Family::flac && info.frames == 0;
  return info.frames >= 0 && !invented && !unknown_flac && !signature.length_unknown;
}

class SndfileDecoder final : public AudioDecoder {
 public:
  explicit SndfileDecoder(ByteSource& source) : input_{&source, {}} {
    const FileSignature signature = FileSignature::read(source);
    if (signature.begins_at_its_end()) source.spool();
    SF_INFO info{};
    file_.reset(sf_open_virtual(callbacks<Input>(), SFM_READ, &info, &input_));
    input_.thrown.rethrow();
    if (!file_) fail(sf_strerror(nullptr));
    info_ = {info.channels, info.samplerate, info.frames, bits_of(info.format),
             has_exact_length(info.format)};
    if (!says_length(info, signature)) info_.frames.reset();
  }

  [[nodiscard]] const Info& info() const noexcept override { return info_; }

  std::int64_t decode(std::span<float> interleaved) override {
    const auto frames = static_cast<sf_count_t>(interleaved.size()) / info_.channels;
    const sf_count_t count = sf_readf_float(file_.get(), interleaved.data(), frames);
    input_.thrown.rethrow();
    if (count < frames && sf_error(file_.get()) != SF_ERR_NO_ERROR) fail(sf_strerror(file_.get()));
    return count;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw BadFile(input_.source->name() + " is damaged, or not the audio file that it begins as: " + reason);
  }

  Input input_;
  File file_;  // before input_ goes, it is closed
  Info info_;
};

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
    default:
      return {SF_FORMAT_FLAC | SF_FORMAT_PCM_24};
  }
}

class SndfileEncoder final : public AudioEncoder {
 public:
  SndfileEncoder(ByteSink& sink, const Spec& spec) : output_{&sink, {}}, spec_(spec) {
    Codec codec = codec_of(spec.format);
    SF_INFO info{};
    info.channels = spec.channels;
    info.samplerate = spec.sample_rate_hz;
    info.format = codec.format;
    if (sf_format_check(&info) != 0)
      file_.reset(sf_open_virtual(callbacks<Output>(), SFM_WRITE, &info, &output_));
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
    if (spec_.format == AudioFormat::flac)
      write_integers(interleaved);
    else
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
    output_.sink->write(output_.held);
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

  /// 24 bits in the upper part of 32, as libsndfile takes them.
  void write_integers(std::span<const float> samples) {
    integers_.resize(samples.size());
    std::ranges::transform(samples, integers_.begin(), [&](float x) { return quantizer_(x) * 256; });
    require_all(sf_write_int(file_.get(), integers_.data(), static_cast<sf_count_t>(integers_.size())),
                integers_.size());
  }

  void write_floats() {
    require_all(sf_write_float(file_.get(), floats_.data(), static_cast<sf_count_t>(floats_.size())),
                floats_.size());
    floats_.clear();
  }

  Output output_;
  Spec spec_;
  File file_;
  std::int64_t frames_ = 0;
  Quantizer quantizer_{24, false};
  std::vector<std::int32_t> integers_;
  std::vector<float> floats_;  // of lossy codecs, until there are kLossyFrames of them
};

}  // namespace

std::unique_ptr<AudioDecoder> make_sndfile_decoder(ByteSource& source) {
  return std::make_unique<SndfileDecoder>(source);
}

std::unique_ptr<AudioEncoder> make_sndfile_encoder(ByteSink& sink, const AudioEncoder::Spec& spec) {
  return std::make_unique<SndfileEncoder>(sink, spec);
}

}  // namespace ringwave::io
