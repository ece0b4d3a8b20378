// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_decoder.hpp"
#include "ringwave/io/sndfile_stream.hpp"
#include "ringwave/io/sndfile_tags.hpp"
#include "ringwave/io/tags/flac_blocks.hpp"
#include "ringwave/io/tags/ogg_head.hpp"
#include "ringwave/io/tags/tag_blocks.hpp"

namespace ringwave::io {
namespace {

using Family = FileSignature::Family;

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

bool holds_float(int format) {
  const int kind = format & SF_FORMAT_SUBMASK;
  return kind == SF_FORMAT_FLOAT || kind == SF_FORMAT_DOUBLE;
}

/// A length of our own invention is none, and FLAC's 0 means that its encoder did not know.
bool says_length(const SF_INFO& info, const FileSignature& signature) {
  const bool invented = info.frames >= SndfileInput::kEndless / std::max(1, info.channels * 8);
  const bool unknown_flac = signature.family == Family::flac && info.frames == 0;
  return info.frames >= 0 && !invented && !unknown_flac && !signature.length_unknown;
}

/// The mask that WAVE programs and ffmpeg leave in FLAC's comment.
Speakers mask_in(const std::vector<FlacBlock>& blocks) {
  constexpr std::string_view kName = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK=";
  for (const FlacBlock& block : blocks) {
    const std::string_view text(reinterpret_cast<const char*>(block.bytes.data()), block.bytes.size());
    const auto at = block.kind == FlacBlock::kVorbisComment ? text.find(kName) : std::string_view::npos;
    if (at == std::string_view::npos) continue;
    const std::string number(text.substr(at + kName.size(), 10));
    return static_cast<Speakers>(std::strtoul(number.c_str(), nullptr, 0));
  }
  return 0;
}

class SndfileDecoder final : public AudioDecoder {
 public:
  SndfileDecoder(ByteSource& source, const FileSignature& signature)
      : input_{&source, signature.corrections} {
    std::vector<FlacBlock> blocks;
    OggHead head;
    if (signature.family == Family::flac) blocks = read_flac_blocks(source, signature.begin);
    if (signature.family == Family::ogg) head = OggHead::read(source);
    source.seek(0);
    SF_INFO info{};
    file_.reset(sf_open_virtual(SndfileInput::callbacks(), SFM_READ, &info, &input_));
    input_.thrown.rethrow();
    if (!file_) fail(sf_strerror(nullptr));
    info_ = {.channels = info.channels,
             .sample_rate_hz = info.samplerate,
             .frames = info.frames,
             .bits = bits_of(info.format),
             .exact_length = signature.family != Family::ogg,
             .holds_float = holds_float(info.format)};
    if (!says_length(info, signature)) info_.frames.reset();
    if (info.samplerate < 1 || info.channels < 1) return;  // which the reader refuses
    read_layout(signature, head, blocks);
    read_tags(signature, head, blocks);
    input_.thrown.rethrow();
  }

  [[nodiscard]] const Info& info() const noexcept override { return info_; }

  std::int64_t decode(std::span<float> interleaved) override {
    if (failure_) fail(*failure_);
    const auto frames = static_cast<sf_count_t>(interleaved.size()) / info_.channels;
    const sf_count_t count = std::max<sf_count_t>(0, sf_readf_float(file_.get(), interleaved.data(), frames));
    input_.thrown.rethrow();
    if (count < frames && sf_error(file_.get()) != SF_ERR_NO_ERROR) failure_ = sf_strerror(file_.get());
    if (count == 0 && failure_) fail(*failure_);
    from_stream(order_, interleaved.first(static_cast<std::size_t>(count * info_.channels)));
    return count;
  }

 private:
  /// libsndfile gives the channels as they lie in the file.
  void read_layout(const FileSignature& signature, const OggHead& head,
                   const std::vector<FlacBlock>& blocks) {
    if (signature.family == Family::ogg) {
      if (head.codec == OggHead::Codec::other || head.opus_mapping_family() > 1) return;
      order_ = vorbis_order(info_.channels);
      info_.speakers = usual_speakers(info_.channels);
      return;
    }
    if (signature.family == Family::flac) {
      const Speakers mask = mask_in(blocks);
      info_.speakers = mask != 0 ? mask : usual_speakers(info_.channels);
      return;
    }
    const std::vector<Speakers> speakers = speakers_of(file_.get(), info_.channels);
    const auto order = speakers.empty() ? std::nullopt : order_of(speakers);
    if (!order) return;
    order_ = *order;
    for (const Speakers speaker : speakers) info_.speakers |= speaker;
  }

  void read_tags(const FileSignature& signature, const OggHead& head, const std::vector<FlacBlock>& blocks) {
    const int rate = info_.sample_rate_hz;
    if (signature.family == Family::flac)
      info_.tags = tags_of_flac_blocks(blocks, rate);
    else if (signature.family == Family::ogg)
      info_.tags = tags_of_vorbis_comment(head.comment, rate);
    else
      info_.tags = tags_of_chunks(file_.get(), rate);
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw BadFile(input_.source->name() + " is damaged, or not the audio file that it begins as: " + reason);
  }

  SndfileInput input_;
  Sndfile file_;  // before input_ goes, it is closed
  Info info_;
  ChannelOrder order_;
  std::optional<std::string> failure_;
};

}  // namespace

std::unique_ptr<AudioDecoder> make_sndfile_decoder(ByteSource& source, const FileSignature& signature) {
  return std::make_unique<SndfileDecoder>(source, signature);
}

}  // namespace ringwave::io
