// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/tags/ogg_head.hpp"

#include <ogg/ogg.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

using Codec = OggHead::Codec;
constexpr std::size_t kPageNumberAt = 18;
constexpr std::string_view kVorbisComment{"\x03vorbis", 7};
constexpr std::string_view kOpusComment{"OpusTags", 8};

/// libogg's sync, with bytes put into it.
class Pages {
 public:
  Pages() { ogg_sync_init(&sync_); }
  ~Pages() { ogg_sync_clear(&sync_); }
  Pages(const Pages&) = delete;  // it owns libogg's buffer
  Pages& operator=(const Pages&) = delete;

  void put(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    char* to = ogg_sync_buffer(&sync_, static_cast<long>(bytes.size()));
    if (to == nullptr) throw OutOfMemory("libogg has no memory for its pages");
    std::memcpy(to, bytes.data(), bytes.size());
    ogg_sync_wrote(&sync_, static_cast<long>(bytes.size()));
  }

  /// The next whole page; what lies before it is skipped.
  bool next(ogg_page& page) {
    int found = 0;
    while ((found = ogg_sync_pageout(&sync_, &page)) < 0) {
    }
    return found == 1;
  }

 private:
  ogg_sync_state sync_{};
};

class Stream {
 public:
  explicit Stream(int serial) { ogg_stream_init(&stream_, serial); }
  ~Stream() { ogg_stream_clear(&stream_); }
  Stream(const Stream&) = delete;  // it owns libogg's buffers
  Stream& operator=(const Stream&) = delete;
  [[nodiscard]] ogg_stream_state* get() { return &stream_; }

 private:
  ogg_stream_state stream_{};
};

std::span<const std::byte> bytes_of(const ogg_packet& packet) {
  return std::as_bytes(std::span(packet.packet, static_cast<std::size_t>(std::max(0L, packet.bytes))));
}

bool begins_with(std::span<const std::byte> bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

Codec codec_of(std::span<const std::byte> identification) {
  if (begins_with(identification, {"\x01vorbis", 7})) return Codec::vorbis;
  return begins_with(identification, "OpusHead") ? Codec::opus : Codec::other;
}

std::string_view mark_of(Codec codec) {
  return codec == Codec::vorbis ? kVorbisComment : kOpusComment;
}

std::vector<std::byte> without_mark(std::span<const std::byte> packet, Codec codec) {
  if (!begins_with(packet, mark_of(codec))) return {};
  packet = packet.subspan(mark_of(codec).size());
  return {packet.begin(), packet.end()};
}

/// Reads pages into a head, until it is whole and the first page of sound is there.
class HeadReader {
 public:
  explicit HeadReader(OggHead& head) : head_(&head) {}

  [[nodiscard]] bool is_done() const { return sound_; }

  void take(ogg_page& page) {
    if (!stream_) stream_ = std::make_unique<Stream>(serial_ = ogg_page_serialno(&page));
    if (ogg_page_serialno(&page) != serial_) return;
    if (packets_ >= 2) return take_position(page);
    if (ogg_stream_pagein(stream_->get(), &page) != 0) return;
    ogg_packet packet;
    while (packets_ < 2 && ogg_stream_packetout(stream_->get(), &packet) == 1) take(bytes_of(packet));
  }

 private:
  void take(std::span<const std::byte> packet) {
    if (packets_++ == 0) {
      head_->codec = codec_of(packet);
      head_->identification.assign(packet.begin(), packet.end());
    } else {
      head_->comment = without_mark(packet, head_->codec);
    }
  }

  /// A page is no longer than some seconds: what is later was not the stream's first.
  void take_position(const ogg_page& page) {
    constexpr std::int64_t kLate = 10 * 48000;
    const auto position = static_cast<std::int64_t>(ogg_page_granulepos(&page));
    if (position <= 0) return;
    sound_ = true;
    if (position > kLate) head_->first_granules = position;
  }

  OggHead* head_;
  std::unique_ptr<Stream> stream_;
  int serial_ = 0;
  int packets_ = 0;
  bool sound_ = false;
};

}  // namespace

OggHead OggHead::read(ByteSource& source) {
  OggHead head;
  HeadReader reader(head);
  Pages pages;
  std::vector<std::byte> chunk(1 << 14);
  source.seek(0);
  for (std::size_t done = 0; !reader.is_done() && done < 2 * kMostTagBytes;) {
    const std::size_t count = source.read(chunk);
    if (count == 0) break;
    done += count;
    pages.put(std::span(chunk).first(count));
    ogg_page page;
    while (!reader.is_done() && pages.next(page)) reader.take(page);
  }
  source.seek(0);
  return head;
}

int OggHead::opus_mapping_family() const noexcept {
  constexpr std::size_t kFamilyAt = 18;
  return codec == Codec::opus && identification.size() > kFamilyAt
             ? std::to_integer<int>(identification[kFamilyAt])
             : 0;
}

double OggHead::seconds(std::int64_t granules) const noexcept {
  const auto number = [this](std::size_t at, std::size_t bytes) {
    std::int64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;)
      value = value << 8U | std::to_integer<std::int64_t>(identification[at + i]);
    return value;
  };
  constexpr std::size_t kRateAt = 12;     // of Vorbis
  constexpr std::size_t kPreSkipAt = 10;  // of Opus, whose granules are 1/48000 s
  constexpr std::size_t kLeastBytes = 19;
  if (codec == Codec::other || identification.size() < kLeastBytes) return 0;
  const bool opus = codec == Codec::opus;
  const std::int64_t rate_hz = opus ? 48000 : number(kRateAt, 4);
  const std::int64_t skipped = opus ? number(kPreSkipAt, 2) : 0;
  return rate_hz > 0 && granules > skipped
             ? static_cast<double>(granules - skipped) / static_cast<double>(rate_hz)
             : 0;
}

struct OggCommentFilter::State {
  Comment comment;
  const void* context;
  Pages pages;
  std::unique_ptr<Stream> in = {};
  std::unique_ptr<Stream> out = {};
  Codec codec = Codec::other;
  int packets = 0;
  long pages_in = 0;
  long pages_out = 0;

  [[nodiscard]] bool in_head() const { return packets < (codec == Codec::opus ? 2 : 3); }

  void emit(std::vector<std::byte>& to, const ogg_page& page) {
    const auto head = std::as_bytes(std::span(page.header, static_cast<std::size_t>(page.header_len)));
    const auto body = std::as_bytes(std::span(page.body, static_cast<std::size_t>(page.body_len)));
    to.insert(to.end(), head.begin(), head.end());
    to.insert(to.end(), body.begin(), body.end());
    ++pages_out;
  }

  /// Every packet of the head begins on a page of its own, but for Vorbis's setup, which follows its comment.
  void take(std::vector<std::byte>& to, ogg_packet& packet) {
    if (packets == 0) codec = codec_of(bytes_of(packet));
    std::vector<std::byte> made;
    if (packets == 1) {
      made = comment(context, without_mark(bytes_of(packet), codec));
      const auto mark = std::as_bytes(std::span(mark_of(codec)));
      made.insert(made.begin(), mark.begin(), mark.end());
      if (codec == Codec::vorbis) made.push_back(std::byte{1});  // its framing bit
      packet.packet = reinterpret_cast<unsigned char*>(made.data());
      packet.bytes = static_cast<long>(made.size());
    }
    ogg_stream_packetin(out->get(), &packet);
    ++packets;
    ogg_page page;
    if (packets == 1 || !in_head())
      while (ogg_stream_flush(out->get(), &page) != 0) emit(to, page);
  }

  void renumber(ogg_page& page) const {
    const auto number = static_cast<std::uint32_t>(ogg_page_pageno(&page) + (pages_out - pages_in));
    for (unsigned i = 0; i < 4; ++i)
      page.header[kPageNumberAt + i] = static_cast<unsigned char>(number >> (8 * i) & 0xffU);
    ogg_page_checksum_set(&page);
  }
};

OggCommentFilter::OggCommentFilter(Comment comment, const void* context)
    : state_(new State{.comment = comment, .context = context, .pages = {}}) {}

OggCommentFilter::~OggCommentFilter() = default;

std::vector<std::byte> OggCommentFilter::pass(std::span<const std::byte> bytes) {
  State& state = *state_;
  std::vector<std::byte> out;
  state.pages.put(bytes);
  ogg_page page;
  while (state.pages.next(page)) {
    if (!state.in) {
      state.in = std::make_unique<Stream>(ogg_page_serialno(&page));
      state.out = std::make_unique<Stream>(ogg_page_serialno(&page));
    }
    if (!state.in_head()) {
      state.renumber(page);
      state.emit(out, page);
      ++state.pages_in;
      continue;
    }
    ++state.pages_in;
    ogg_stream_pagein(state.in->get(), &page);
    ogg_packet packet;
    while (state.in_head() && ogg_stream_packetout(state.in->get(), &packet) == 1) state.take(out, packet);
  }
  return out;
}

}  // namespace ringwave::io
