// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/stream_encoder.hpp"

#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_format.hpp"
#include "ringwave/io/stream_codecs.hpp"
#include "ringwave/io/wav_header.hpp"

namespace ringwave::io {
namespace {

static_assert(std::endian::native == std::endian::little, "samples go out as they lie");

constexpr int kLeastBlockFrames = 16;
constexpr int kMostBlockFrames = 8192;
constexpr std::size_t kMostTitleBytes = 1000;
constexpr std::int64_t kMostFirstFrame = std::int64_t{1} << 53;  // as in JSON; so granules have room

/// The samples as they are, after a header or none.
class PlainStreamEncoder final : public StreamEncoder {
 public:
  PlainStreamEncoder(Spec spec, std::vector<std::byte> header)
      : spec_(std::move(spec)), header_(std::move(header)) {}

  [[nodiscard]] std::span<const std::byte> header() const noexcept override { return header_; }

  void encode(std::span<const std::int16_t> block, std::vector<std::byte>& out) override {
    require_block(block, spec_);
    append(out, std::as_bytes(block));
  }

 private:
  Spec spec_;
  std::vector<std::byte> header_;
};

bool has_bitrate(StreamFormat format) {
  return format == StreamFormat::opus || format == StreamFormat::ogg_opus || format == StreamFormat::mp3;
}

/// Whether it is UTF-8 (RFC 3629) without control characters, which would end a tag's text.
bool is_plain_text(std::string_view text) {
  constexpr std::array<std::uint32_t, 4> kLeast{0x20, 0x80, 0x800, 0x10000};  // of so many bytes more
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    const int ones = std::countl_one(lead);
    const std::size_t more = ones == 0 ? 0 : static_cast<std::size_t>(ones) - 1;
    if (ones == 1 || ones > 4 || text.size() <= more) return false;
    std::uint32_t code = lead & (0xffU >> static_cast<unsigned>(ones));
    for (const char next : text.substr(1, more)) {
      if (std::countl_one(static_cast<unsigned char>(next)) != 1) return false;
      code = code << 6U | (static_cast<unsigned char>(next) & 0x3fU);
    }
    const bool is_half_of_a_pair = code >= 0xd800 && code < 0xe000;
    if (code < kLeast[more] || code > 0x10ffff || code == 0x7f || is_half_of_a_pair) return false;
    text.remove_prefix(1 + more);
  }
  return true;
}

void require_spec(const StreamEncoder::Spec& spec) {
  const std::string name(to_string(spec.format));
  if (spec.sample_rate_hz < kLeastSampleRateHz || spec.sample_rate_hz > kMostSampleRateHz)
    throw InvalidArgument("a stream at " + std::to_string(spec.sample_rate_hz) + " Hz was asked for; use " +
                          std::to_string(kLeastSampleRateHz) + " to " + std::to_string(kMostSampleRateHz) +
                          " Hz");
  if (spec.block_frames < kLeastBlockFrames || spec.block_frames > kMostBlockFrames)
    throw InvalidArgument("a stream in blocks of " + std::to_string(spec.block_frames) +
                          " frames was asked for; use " + std::to_string(kLeastBlockFrames) + " to " +
                          std::to_string(kMostBlockFrames));
  if (spec.bitrate != 0 && !has_bitrate(spec.format))
    throw InvalidArgument("a bitrate was asked for, and a stream of " + name +
                          " has none to choose; leave it 0");
  if (spec.title.size() > kMostTitleBytes)
    throw InvalidArgument("the title of a stream has " + std::to_string(spec.title.size()) +
                          " bytes; use at most " + std::to_string(kMostTitleBytes));
  if (!is_plain_text(spec.title))
    throw InvalidArgument("the title of a stream is not UTF-8, or has control characters");
  if (spec.first_frame < 0 || spec.first_frame > kMostFirstFrame)
    throw InvalidArgument("a stream was to begin at frame " + std::to_string(spec.first_frame) +
                          "; use 0 to " + std::to_string(kMostFirstFrame));
}

}  // namespace

void require_block(std::span<const std::int16_t> block, const StreamEncoder::Spec& spec) {
  if (block.size() != 2 * static_cast<std::size_t>(spec.block_frames))
    throw InvalidArgument("a stream of blocks of " + std::to_string(spec.block_frames) +
                          " stereo frames was given one of " + std::to_string(block.size()) + " samples");
}

std::unique_ptr<StreamEncoder> make_stream_encoder(const StreamEncoder::Spec& spec) {
  require_spec(spec);
  switch (spec.format) {
    case StreamFormat::pcm:
      return std::make_unique<PlainStreamEncoder>(spec, std::vector<std::byte>{});
    case StreamFormat::wav:
      return std::make_unique<PlainStreamEncoder>(
          spec, WavHeader{.channels = 2, .sample_rate_hz = spec.sample_rate_hz, .bits = 16}.bytes());
    case StreamFormat::opus:
      return make_opus_stream_encoder(spec);
    case StreamFormat::ogg_opus:
      return make_ogg_opus_stream_encoder(spec);
    case StreamFormat::mp3:
      return make_mp3_stream_encoder(spec);
    case StreamFormat::flac:
      return make_flac_stream_encoder(spec);
  }
  throw InvalidArgument("a stream of a format that does not exist was asked for");
}

}  // namespace ringwave::io
