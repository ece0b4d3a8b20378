// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "ringwave/io/audio_encoder.hpp"
#include "ringwave/io/quantizer.hpp"
#include "ringwave/io/tags/wav_chunks.hpp"
#include "ringwave/io/wav_header.hpp"

namespace ringwave::io {
namespace {

static_assert(std::endian::native == std::endian::little, "float samples are written as they lie");

int bits_of(AudioFormat format) {
  if (format == AudioFormat::wav16) return 16;
  return format == AudioFormat::wav24 ? 24 : 32;
}

class WavEncoder final : public AudioEncoder {
 public:
  WavEncoder(ByteSink& sink, const Spec& spec)
      : sink_(&sink),
        has_header_(spec.format != AudioFormat::raw),
        header_{.channels = spec.channels,
                .sample_rate_hz = spec.sample_rate_hz,
                .bits = bits_of(spec.format),
                .frames = spec.frames,
                .speakers = spec.speakers != 0 ? spec.speakers : usual_speakers(spec.channels)},
        quantizer_(header_.bits, spec.dither && header_.bits == 16) {
    if (!has_header_) return;
    header_.chunks = wav_chunks(spec.tags, spec.sample_rate_hz);
    header_.may_grow = header_.is_large() || (!spec.frames && sink.seekable());
    sink_->write(header_.bytes());
  }

  void encode(std::span<const float> interleaved) override {
    sink_->write(header_.bits == 32 ? std::as_bytes(interleaved) : quantized(interleaved));
    written_ += static_cast<std::int64_t>(interleaved.size()) / header_.channels;
  }

  void finish() override {
    if (!has_header_) return;
    constexpr std::array kPadding{std::byte{0}};  // a chunk has an even number of bytes
    if (written_ * header_.frame_bytes() % 2 != 0) sink_->write(kPadding);
    if (header_.frames == written_ || !sink_->seekable()) return;
    header_.frames = written_;
    sink_->seek(0);
    sink_->write(header_.bytes());
  }

 private:
  std::span<const std::byte> quantized(std::span<const float> samples) {
    bytes_.resize(samples.size() * static_cast<std::size_t>(header_.bits) / 8);
    std::byte* next = bytes_.data();
    for (const float sample : samples) {
      const auto value = static_cast<std::uint32_t>(quantizer_(sample));
      for (unsigned shift = 0; shift < static_cast<unsigned>(header_.bits); shift += 8)
        *next++ = static_cast<std::byte>(value >> shift & 0xffU);
    }
    return bytes_;
  }

  ByteSink* sink_;
  bool has_header_;
  WavHeader header_;
  Quantizer quantizer_;
  std::vector<std::byte> bytes_;
  std::int64_t written_ = 0;
};

}  // namespace

std::unique_ptr<AudioEncoder> make_wav_encoder(ByteSink& sink, const AudioEncoder::Spec& spec) {
  return std::make_unique<WavEncoder>(sink, spec);
}

}  // namespace ringwave::io
