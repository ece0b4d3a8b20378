// SPDX-License-Identifier: Apache-2.0
// The only file that knows LAME.
#include <lame/lame.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/io/stream_codecs.hpp"

namespace ringwave::io {
namespace {

constexpr int kDefaultKbps = 192;
constexpr std::array kRatesHz{32000, 44100, 48000};  // MPEG-1: those below have other bitrates and frames
constexpr std::array kKbps{32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320};

template <class Values>
bool contains(const Values& values, int value) {
  return std::ranges::find(values, value) != values.end();
}

void require_mp3(const StreamEncoder::Spec& spec) {
  if (!contains(kRatesHz, spec.sample_rate_hz))
    throw InvalidArgument("a stream of MP3 at " + std::to_string(spec.sample_rate_hz) +
                          " Hz was asked for; use 32000, 44100 or 48000 Hz");
  if (spec.bitrate != 0 && (spec.bitrate % 1000 != 0 || !contains(kKbps, spec.bitrate / 1000)))
    throw InvalidArgument(
        "a stream of MP3 with " + std::to_string(spec.bitrate) +
        " bits a second was asked for; use 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256 or 320 "
        "thousand");
}

void require(int status, std::string_view what) {
  if (status < 0)
    throw Error("the MP3 encoder failed to " + std::string(what) + ": LAME says " + std::to_string(status));
}

/// A tag of ID3v2.4 with a title in UTF-8: LAME's own knows only Latin-1 and UTF-16.
std::vector<std::byte> id3_tag(const std::string& title) {
  if (title.empty()) return {};
  constexpr std::size_t kFrameHeadBytes = 10;
  std::vector<std::byte> bytes;
  const auto text = [&](std::string_view t) { append(bytes, std::as_bytes(std::span(t))); };
  const auto size = [&](std::size_t value) {  // seven bits a byte, the highest first
    for (const unsigned shift : {21U, 14U, 7U, 0U}) bytes.push_back(std::byte(value >> shift & 0x7fU));
  };
  text({"ID3\4\0\0", 6});
  size(kFrameHeadBytes + 1 + title.size());
  text("TIT2");
  size(1 + title.size());
  text({"\0\0\3", 3});  // no flags, UTF-8
  text(title);
  return bytes;
}

/// Frames of a constant size that do not borrow from each other: with the bit reservoir a frame's data would
/// begin in those before it, which one who joins has not got. The tag that LAME puts first in a file, for its
/// length, has no place in a stream.
class Mp3StreamEncoder final : public StreamEncoder {
 public:
  explicit Mp3StreamEncoder(Spec spec)
      : spec_(std::move(spec)), lame_(lame_init()), header_(id3_tag(spec_.title)) {
    if (!lame_) throw Error("the MP3 encoder failed to start: LAME has no memory");
    lame_set_num_channels(lame_.get(), 2);
    lame_set_in_samplerate(lame_.get(), spec_.sample_rate_hz);
    lame_set_out_samplerate(lame_.get(), spec_.sample_rate_hz);
    lame_set_VBR(lame_.get(), vbr_off);
    lame_set_brate(lame_.get(), spec_.bitrate != 0 ? spec_.bitrate / 1000 : kDefaultKbps);
    lame_set_disable_reservoir(lame_.get(), 1);
    lame_set_bWriteVbrTag(lame_.get(), 0);
    lame_set_write_id3tag_automatic(lame_.get(), 0);
    require(lame_init_params(lame_.get()), "start");
    constexpr std::size_t kRoomBytes = 7200;  // and 1.25 for a frame, by LAME's word
    room_.resize(kRoomBytes + static_cast<std::size_t>(spec_.block_frames) * 5 / 4);
  }

  [[nodiscard]] std::span<const std::byte> header() const noexcept override { return header_; }

  void encode(std::span<const std::int16_t> block, std::vector<std::byte>& out) override {
    require_block(block, spec_);
    samples_.assign(block.begin(), block.end());  // LAME's pointer is not const
    const int bytes = lame_encode_buffer_interleaved(lame_.get(), samples_.data(), spec_.block_frames,
                                                     room_.data(), static_cast<int>(room_.size()));
    require(bytes, "encode a block");
    append(out, std::as_bytes(std::span(room_).first(static_cast<std::size_t>(bytes))));
  }

 private:
  struct Close {
    void operator()(lame_t lame) const noexcept { lame_close(lame); }
  };

  Spec spec_;
  std::unique_ptr<lame_global_flags, Close> lame_;
  std::vector<std::byte> header_;
  std::vector<std::int16_t> samples_;
  std::vector<unsigned char> room_;
};

}  // namespace

std::unique_ptr<StreamEncoder> make_mp3_stream_encoder(const StreamEncoder::Spec& spec) {
  require_mp3(spec);
  return std::make_unique<Mp3StreamEncoder>(spec);
}

}  // namespace ringwave::io
