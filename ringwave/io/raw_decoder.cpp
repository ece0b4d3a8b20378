// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstddef>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_decoder.hpp"

namespace ringwave::io {
namespace {

static_assert(std::endian::native == std::endian::little, "raw samples are read as they lie");

class RawDecoder final : public AudioDecoder {
 public:
  RawDecoder(ByteSource& source, int channels, int sample_rate_hz)
      : source_(&source),
        info_{.channels = channels, .sample_rate_hz = sample_rate_hz, .exact_length = true} {
    if (source.size()) info_.frames = *source.size() / frame_bytes();
    if (source.size() && *source.size() % frame_bytes() != 0) fail();
  }

  [[nodiscard]] const Info& info() const noexcept override { return info_; }

  std::int64_t decode(std::span<float> interleaved) override {
    const std::size_t bytes = source_->read(std::as_writable_bytes(interleaved));
    if (static_cast<std::int64_t>(bytes) % frame_bytes() != 0) fail();
    return static_cast<std::int64_t>(bytes) / frame_bytes();
  }

 private:
  [[nodiscard]] std::int64_t frame_bytes() const {
    return std::int64_t{info_.channels} * static_cast<std::int64_t>(sizeof(float));
  }

  [[noreturn]] void fail() const {
    throw BadFile(source_->name() + " ends in the middle of a frame of " + std::to_string(info_.channels) +
                  " float32 samples; check the number of channels, or copy it again");
  }

  ByteSource* source_;
  Info info_;
};

}  // namespace

std::unique_ptr<AudioDecoder> make_raw_decoder(ByteSource& source, int channels, int sample_rate_hz) {
  return std::make_unique<RawDecoder>(source, channels, sample_rate_hz);
}

}  // namespace ringwave::io
