// SPDX-License-Identifier: Apache-2.0
// The only file that knows libFLAC.
#include <FLAC/metadata.h>
#include <FLAC/stream_encoder.h>

#include <exception>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_format.hpp"
#include "ringwave/io/stream_codecs.hpp"

namespace ringwave::io {
namespace {

constexpr int kChannels = 2;
constexpr int kBits = 16;
constexpr int kCompression = 5;       // libFLAC's own default
constexpr int kFramesPerSecond = 25;  // FLAC's: longer ones made Ringwave's music no smaller

struct DeleteEncoder {
  void operator()(FLAC__StreamEncoder* encoder) const noexcept { FLAC__stream_encoder_delete(encoder); }
};
struct DeleteMetadata {
  void operator()(FLAC__StreamMetadata* metadata) const noexcept { FLAC__metadata_object_delete(metadata); }
};
using Metadata = std::unique_ptr<FLAC__StreamMetadata, DeleteMetadata>;

/// Comments of Vorbis's form; libFLAC adds its own name.
Metadata comments(const std::string& title) {
  Metadata metadata(FLAC__metadata_object_new(FLAC__METADATA_TYPE_VORBIS_COMMENT));
  FLAC__StreamMetadata_VorbisComment_Entry entry{};
  const bool done =
      metadata &&
      (title.empty() ||
       (FLAC__metadata_object_vorbiscomment_entry_from_name_value_pair(&entry, "TITLE", title.c_str()) != 0 &&
        FLAC__metadata_object_vorbiscomment_append_comment(metadata.get(), entry, false) != 0));
  if (!done) throw Error("the FLAC encoder failed to take the title '" + title + "'");
  return metadata;
}

/// Frames of one size. libFLAC gives one away when it has a sample of the next: that is one block later. It
/// numbers them from 0 on, whatever the time of the first is.
class FlacStreamEncoder final : public StreamEncoder {
 public:
  explicit FlacStreamEncoder(Spec spec)
      : spec_(std::move(spec)), metadata_(comments(spec_.title)), encoder_(FLAC__stream_encoder_new()) {
    if (!encoder_) throw Error("the FLAC encoder failed: libFLAC has no memory");
    FLAC__StreamMetadata* blocks = metadata_.get();
    FLAC__stream_encoder_set_channels(encoder_.get(), kChannels);
    FLAC__stream_encoder_set_bits_per_sample(encoder_.get(), kBits);
    FLAC__stream_encoder_set_sample_rate(encoder_.get(), static_cast<unsigned>(spec_.sample_rate_hz));
    FLAC__stream_encoder_set_compression_level(encoder_.get(), kCompression);
    FLAC__stream_encoder_set_blocksize(encoder_.get(), static_cast<unsigned>(frame_size()));
    FLAC__stream_encoder_set_metadata(encoder_.get(), &blocks, 1);
    out_ = &header_;
    const auto status =
        FLAC__stream_encoder_init_stream(encoder_.get(), write, nullptr, nullptr, nullptr, this);
    if (status != FLAC__STREAM_ENCODER_INIT_STATUS_OK)
      throw Error("the FLAC encoder failed: " + std::string(FLAC__StreamEncoderInitStatusString[status]));
  }

  [[nodiscard]] std::span<const std::byte> header() const noexcept override { return header_; }

  void encode(std::span<const std::int16_t> block, std::vector<std::byte>& out) override {
    require_block(block, spec_);
    samples_.assign(block.begin(), block.end());
    out_ = &out;
    if (FLAC__stream_encoder_process_interleaved(encoder_.get(), samples_.data(),
                                                 static_cast<unsigned>(spec_.block_frames)) == 0)
      throw Error("the FLAC encoder failed: " +
                  std::string(FLAC__stream_encoder_get_resolved_state_string(encoder_.get())));
  }

 private:
  /// As many whole blocks as there is time for, or of a longer block a part.
  [[nodiscard]] int frame_size() const {
    const int most = spec_.sample_rate_hz / kFramesPerSecond;
    return spec_.block_frames > most ? most : most / spec_.block_frames * spec_.block_frames;
  }

  static FLAC__StreamEncoderWriteStatus write(const FLAC__StreamEncoder*, const FLAC__byte bytes[],
                                              std::size_t count, std::uint32_t, std::uint32_t,
                                              void* self) noexcept try {
    append(*static_cast<FlacStreamEncoder*>(self)->out_, std::as_bytes(std::span(bytes, count)));
    return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
  } catch (const std::exception&) {  // none may cross libFLAC's C
    return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR;
  }

  Spec spec_;
  std::vector<std::byte> header_;
  std::vector<std::byte>* out_ = nullptr;  // where libFLAC writes to, during a call of it
  std::vector<FLAC__int32> samples_;
  Metadata metadata_;  // which libFLAC reads as long as it lives
  std::unique_ptr<FLAC__StreamEncoder, DeleteEncoder> encoder_;
};

}  // namespace

std::unique_ptr<StreamEncoder> make_flac_stream_encoder(const StreamEncoder::Spec& spec) {
  if (!holds(AudioFormat::flac, kChannels, spec.sample_rate_hz))
    throw InvalidArgument("a stream of FLAC at " + std::to_string(spec.sample_rate_hz) +
                          " Hz was asked for; FLAC has " + shapes_text(AudioFormat::flac));
  return std::make_unique<FlacStreamEncoder>(spec);
}

}  // namespace ringwave::io
