// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/mp3_extent.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/io/tags/id3_frames.hpp"

namespace ringwave::io {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kHeadBytes = 4;
constexpr std::int64_t kId3v1Bytes = 128;
constexpr std::size_t kMostFrameBytes = 4096;
constexpr std::int64_t kMostPaddingBytes = 1 << 20;  // between a tag and the first frame

/// kbit/s by the kind of the stream and the number in a header: MPEG-1 layers I, II, III; MPEG-2 layer I, and
/// layers II and III (ISO 11172-3, table 2.4.2.3, and ISO 13818-3).
constexpr std::array<std::array<int, 15>, 5> kBitrates{
    {{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
     {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
     {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
     {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
     {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}}};
constexpr std::array kMpeg1RatesHz{44100, 48000, 32000};

struct Frame {
  std::size_t bytes;
  int samples;
  std::size_t info_at;  // where a tag with the length would be
};

unsigned at(Bytes bytes, std::size_t i) {
  return std::to_integer<unsigned>(bytes[i]);
}

/// The frame of that header; nothing where it is none, or says no bit rate.
std::optional<Frame> frame_of(Bytes head) {
  if (head.size() < kHeadBytes || at(head, 0) != 0xff || (at(head, 1) & 0xe0U) != 0xe0U) return std::nullopt;
  const unsigned version = at(head, 1) >> 3U & 3U;  // 3: MPEG-1, 2: MPEG-2, 0: MPEG-2.5
  const unsigned layer = 4 - (at(head, 1) >> 1U & 3U);
  const unsigned bitrate = at(head, 2) >> 4U;
  const unsigned rate = at(head, 2) >> 2U & 3U;
  if (version == 1 || layer == 4 || bitrate == 0 || bitrate == 15 || rate == 3) return std::nullopt;
  const bool mpeg1 = version == 3;
  const std::size_t row = mpeg1 ? layer - 1 : layer == 1 ? 3 : 4;
  const int rate_hz = kMpeg1RatesHz[rate] >> (mpeg1 ? 0 : version == 2 ? 1 : 2);
  const int samples = layer == 1 ? 384 : layer == 3 && !mpeg1 ? 576 : 1152;
  const int slot = layer == 1 ? 4 : 1;  // bytes that frames are counted in
  const int padding = (at(head, 2) >> 1U & 1U) != 0 ? 1 : 0;
  const int slots = samples / 8 / slot * kBitrates[row][bitrate] * 1000 / rate_hz + padding;
  const bool mono = at(head, 3) >> 6U == 3;
  const std::size_t side = mpeg1 ? (mono ? 17 : 32) : (mono ? 9 : 17);
  return Frame{static_cast<std::size_t>(slots * slot), samples, kHeadBytes + side};
}

bool is_text(Bytes bytes, std::size_t begin, std::string_view text) {
  return bytes.size() >= begin + text.size() &&
         std::memcmp(bytes.data() + begin, text.data(), text.size()) == 0;
}

std::int64_t number(Bytes bytes, std::size_t begin) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8U | at(bytes, begin + i);
  return value;
}

/// How many frames follow the first one, by the tag in it.
std::optional<std::int64_t> promised_frames(Bytes first, std::size_t info_at) {
  constexpr std::size_t kVbriAt = 36;
  if ((is_text(first, info_at, "Xing") || is_text(first, info_at, "Info")) && first.size() >= info_at + 12 &&
      (at(first, info_at + 7) & 1U) != 0)
    return number(first, info_at + 8);
  if (is_text(first, kVbriAt, "VBRI") && first.size() >= kVbriAt + 18) return number(first, kVbriAt + 14);
  return std::nullopt;
}

/// Bytes of a file, read ahead.
class Window {
 public:
  Window(ByteSource& source, std::int64_t end) : source_(&source), end_(end) {}

  /// From `position` on, at least kMostFrameBytes of them or all up to the end.
  Bytes at(std::int64_t position) {
    const auto wanted = std::min<std::int64_t>(static_cast<std::int64_t>(kMostFrameBytes), end_ - position);
    if (position < begin_ || position + wanted > begin_ + static_cast<std::int64_t>(bytes_.size())) {
      bytes_.resize(static_cast<std::size_t>(std::min<std::int64_t>(1 << 18, end_ - position)));
      bytes_.resize(source_->seek(position) ? source_->read(bytes_) : 0);
      begin_ = position;
    }
    return Bytes(bytes_).subspan(static_cast<std::size_t>(position - begin_));
  }

 private:
  ByteSource* source_;
  std::int64_t end_;
  std::int64_t begin_ = 0;
  std::vector<std::byte> bytes_;
};

std::int64_t sound_end(ByteSource& source) {
  std::array<std::byte, 3> mark{};
  const std::int64_t tag = *source.size() - kId3v1Bytes;
  const bool tagged =
      tag >= 0 && source.seek(tag) && source.read(mark) == mark.size() && is_text(mark, 0, "TAG");
  return tagged ? tag : *source.size();
}

std::int64_t sound_begin(ByteSource& source) {
  std::array<std::byte, 10> head{};
  source.seek(0);
  const std::size_t count = source.read(head);
  return id3_tag_bytes(Bytes(head).first(count));
}

/// Whether what is no frame is a tag of another kind, with which the sound is over.
bool is_tag(Bytes rest) {
  return is_text(rest, 0, "APETAGEX") || is_text(rest, 0, "LYRICSBEGIN") || is_text(rest, 0, "ID3");
}

}  // namespace

Mp3Extent Mp3Extent::read(ByteSource& source) {
  Mp3Extent extent;
  if (!source.size()) return extent;
  const std::int64_t end = sound_end(source);
  Window window(source, end);
  std::int64_t position = sound_begin(source);
  const std::int64_t padding_end = std::min(end, position + kMostPaddingBytes);
  while (position < padding_end && is_text(window.at(position), 0, std::string_view("\0", 1))) ++position;
  for (bool first = true; position < end; first = false) {
    const Bytes rest = window.at(position);
    const auto frame = frame_of(rest);
    if (!frame) {
      if (rest.empty()) return extent;
      extent.readable = extent.sample_frames > 0 && (is_tag(rest) || rest.size() < kHeadBytes);
      extent.ends_within_a_frame = rest.size() < kHeadBytes && at(rest, 0) == 0xff;
      return extent;
    }
    if (first)
      if (const auto frames = promised_frames(rest, frame->info_at))
        extent.promised_sample_frames = *frames * frame->samples;
    if (position + static_cast<std::int64_t>(frame->bytes) > end) {
      extent.ends_within_a_frame = true;
      break;
    }
    if (!first || !extent.promised_sample_frames) extent.sample_frames += frame->samples;
    position += static_cast<std::int64_t>(frame->bytes);
  }
  extent.readable = true;
  return extent;
}

}  // namespace ringwave::io
