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
  RawDecoder(ByteSource& source, int channels, int sample_rate_hz, bool salvage)
      : source_(&source),
        salvage_(salvage),
        info_{.channels = channels,
              .sample_rate_hz = sample_rate_hz,
              .exact_length = true,
              .holds_float = true} {
    if (source.size()) info_.frames = *source.size() / frame_bytes();
    if (source.size()) require_whole_frames(*source.size());
  }

  [[nodiscard]] const Info& info() const noexcept override { return info_; }

  std::int64_t decode(std::span<float> interleaved) override {
    const std::size_t bytes = source_->read(std::as_writable_bytes(interleaved));
    require_whole_frames(static_cast<std::int64_t>(bytes));
    return static_cast<std::int64_t>(bytes) / frame_bytes();
  }

 private:
  [[nodiscard]] std::int64_t frame_bytes() const {
    return std::int64_t{info_.channels} * static_cast<std::int64_t>(sizeof(float));
  }

  void require_whole_frames(std::int64_t bytes) const {
    if (salvage_ || bytes % frame_bytes() == 0) return;
    throw BadFile(source_->name() + " ends in the middle of a frame of " + std::to_string(info_.channels) +
                  " float32 samples; check the number of channels, copy it again, or read what is there with "
                  "--salvage");
  }

  ByteSource* source_;
  bool salvage_;
  Info info_;
};

}  // namespace

std::unique_ptr<AudioDecoder> make_raw_decoder(ByteSource& source, int channels, int sample_rate_hz,
                                               bool salvage) {
  return std::make_unique<RawDecoder>(source, channels, sample_rate_hz, salvage);
}

}  // namespace ringwave::io
