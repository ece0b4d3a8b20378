// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/head_filter.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "ringwave/io/tags/flac_blocks.hpp"
#include "ringwave/io/tags/ogg_head.hpp"
#include "ringwave/io/tags/tag_blocks.hpp"

namespace ringwave::io {
namespace {

using Bytes = std::vector<std::byte>;

bool is_empty(const AudioTags& tags) {
  return tags.texts.empty() && tags.pictures.empty() && tags.cues.empty() && tags.cue_sheet.empty();
}

void append(Bytes& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// ID3v2 goes before the encoder's first byte.
class Id3Filter final : public HeadFilter {
 public:
  explicit Id3Filter(const HeadFilterSpec& spec) : tag_(id3_tag(spec.tags, spec.sample_rate_hz)) {}

  Bytes pass(std::span<const std::byte> bytes) override {
    Bytes out;
    if (!std::exchange(begun_, true)) out = tag_;
    append(out, bytes);
    return out;
  }

  [[nodiscard]] std::int64_t place_of(std::int64_t position) const noexcept override {
    return position + (begun_ ? static_cast<std::int64_t>(tag_.size()) : 0);
  }

 private:
  Bytes tag_;
  bool begun_ = false;
};

class OggFilter final : public HeadFilter {
 public:
  explicit OggFilter(const HeadFilterSpec& spec) : spec_(spec), filter_(comment, this) {}

  Bytes pass(std::span<const std::byte> bytes) override { return filter_.pass(bytes); }
  [[nodiscard]] std::int64_t place_of(std::int64_t position) const noexcept override { return position; }

 private:
  static Bytes comment(const void* self, std::span<const std::byte> own) {
    const HeadFilterSpec& spec = static_cast<const OggFilter*>(self)->spec_;
    return vorbis_comment(spec.tags, spec.sample_rate_hz, own, true);
  }

  HeadFilterSpec spec_;
  OggCommentFilter filter_;
};

/// The blocks go after the first one, STREAMINFO, to which alone the encoder comes back.
class FlacFilter final : public HeadFilter {
 public:
  explicit FlacFilter(const HeadFilterSpec& spec) : spec_(spec) {}

  Bytes pass(std::span<const std::byte> bytes) override {
    if (done_) return {bytes.begin(), bytes.end()};
    append(head_, bytes);
    const std::size_t end = head_end();
    if (end == 0) return {};
    done_ = true;
    Bytes out = rewritten(std::span(head_).first(end));
    inserted_ = static_cast<std::int64_t>(out.size()) - static_cast<std::int64_t>(end);
    append(out, std::span(head_).subspan(end));
    head_.clear();
    return out;
  }

  [[nodiscard]] std::int64_t place_of(std::int64_t position) const noexcept override {
    constexpr std::int64_t kStreamInfoEnd = 42;
    return position < kStreamInfoEnd ? position : position + inserted_;
  }

 private:
  static constexpr std::size_t kMagicBytes = 4;

  [[nodiscard]] std::size_t block_bytes(std::size_t begin) const {
    std::size_t bytes = 0;
    for (std::size_t i = 1; i < FlacBlock::kHeadBytes; ++i)
      bytes = bytes << 8U | std::to_integer<std::size_t>(head_[begin + i]);
    return bytes;
  }

  /// Where the last block ends; 0 while it is not there.
  [[nodiscard]] std::size_t head_end() const {
    for (std::size_t at = kMagicBytes; at + FlacBlock::kHeadBytes <= head_.size();) {
      const std::size_t end = at + FlacBlock::kHeadBytes + block_bytes(at);
      if (end > head_.size()) return 0;
      if ((std::to_integer<unsigned>(head_[at]) & FlacBlock::kLast) != 0) return end;
      at = end;
    }
    return 0;
  }

  static void add_block(Bytes& to, unsigned kind, std::span<const std::byte> bytes) {
    if (bytes.size() > FlacBlock::kMostBytes) return;
    to.push_back(static_cast<std::byte>(kind));
    for (unsigned shift = 24; shift > 0; shift -= 8)
      to.push_back(static_cast<std::byte>(bytes.size() >> (shift - 8) & 0xffU));
    append(to, bytes);
  }

  [[nodiscard]] Bytes comment(std::span<const std::byte> own) const {
    AudioTags tags = spec_.tags;
    if (!tags.cue_sheet.empty() && tags.cues == cues_of_cue_sheet(tags.cue_sheet)) tags.cues.clear();
    if (spec_.speakers != 0 && spec_.speakers != usual_speakers(spec_.channels)) {
      std::array<char, 16> mask{};
      std::snprintf(mask.data(), mask.size(), "0x%04X", spec_.speakers);
      tags.texts.push_back({"WAVEFORMATEXTENSIBLE_CHANNEL_MASK", mask.data()});
    }
    return vorbis_comment(tags, spec_.sample_rate_hz, own, false);
  }

  [[nodiscard]] Bytes rewritten(std::span<const std::byte> head) const {
    Bytes out(head.begin(), head.begin() + kMagicBytes);
    std::size_t last = out.size();
    for (std::size_t at = kMagicBytes; at < head.size();) {
      const unsigned kind = std::to_integer<unsigned>(head[at]) & ~FlacBlock::kLast;
      const auto bytes = head.subspan(at + FlacBlock::kHeadBytes, block_bytes(at));
      last = out.size();
      add_block(out, kind,
                kind == FlacBlock::kVorbisComment ? comment(bytes) : Bytes(bytes.begin(), bytes.end()));
      at += FlacBlock::kHeadBytes + bytes.size();
    }
    const auto add = [&](unsigned kind, std::span<const std::byte> bytes) {
      last = out.size();
      add_block(out, kind, bytes);
    };
    if (!spec_.tags.cue_sheet.empty()) add(FlacBlock::kCueSheet, spec_.tags.cue_sheet);
    for (const AudioTags::Picture& picture : spec_.tags.pictures)
      if (picture.data.size() < FlacBlock::kMostBytes / 2)
        add(FlacBlock::kPicture, flac_picture_block(picture));
    out[last] |= std::byte{FlacBlock::kLast};
    return out;
  }

  HeadFilterSpec spec_;
  Bytes head_;
  std::int64_t inserted_ = 0;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<HeadFilter> make_head_filter(const HeadFilterSpec& spec) {
  const bool says_speakers = spec.speakers != 0 && spec.speakers != usual_speakers(spec.channels);
  const bool flac = spec.format == AudioFormat::flac || spec.format == AudioFormat::flac16;
  if (flac && (says_speakers || !is_empty(spec.tags))) return std::make_unique<FlacFilter>(spec);
  if (is_empty(spec.tags)) return nullptr;
  if (spec.format == AudioFormat::mp3) return std::make_unique<Id3Filter>(spec);
  if (spec.format == AudioFormat::ogg || spec.format == AudioFormat::opus)
    return std::make_unique<OggFilter>(spec);
  return nullptr;
}

}  // namespace ringwave::io
