// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_encoder.hpp"
#include "ringwave/io/quantizer.hpp"
#include "ringwave/io/wav_header.hpp"

namespace ringwave::io {
namespace {

int bits_of(AudioFormat format) {
  if (format == AudioFormat::wav16) return 16;
  return format == AudioFormat::wav24 ? 24 : 32;
}

class WavEncoder final : public AudioEncoder {
 public:
  WavEncoder(ByteSink& sink, const Spec& spec)
      : sink_(&sink),
        has_header_(spec.format != AudioFormat::raw),
        header_{spec.channels, spec.sample_rate_hz, bits_of(spec.format), spec.frames},
        quantizer_(header_.bits, spec.dither && header_.bits == 16) {
    if (has_header_) sink_->write(header_.bytes());
  }

  void encode(std::span<const float> interleaved) override {
    bytes_.clear();
    for (const float sample : interleaved) append(sample);
    sink_->write(bytes_);
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
  void append(float sample) {
    const std::uint32_t value = header_.bits == 32 ? std::bit_cast<std::uint32_t>(sample)
                                                   : static_cast<std::uint32_t>(quantizer_(sample));
    for (int shift = 0; shift < header_.bits; shift += 8)
      bytes_.push_back(static_cast<std::byte>(value >> static_cast<unsigned>(shift) & 0xffU));
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
