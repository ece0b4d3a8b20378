// SPDX-License-Identifier: Apache-2.0
// The only file that knows libopus and libogg. Opus in Ogg is RFC 7845.
#include <ogg/ogg.h>
#include <opus.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_format.hpp"
#include "ringwave/io/stream_codecs.hpp"

namespace ringwave::io {
namespace {

constexpr int kChannels = 2;
constexpr int kDefaultBitrate = 96000;
constexpr int kLeastBitrate = 6000;
constexpr int kMostBitrate = 510000;

// From 7 on libopus looks for what is tonal, and our music is; 8 to 10 take about a third more time for a
// difference of tenths of a decibel, and that would be a third fewer stations.
constexpr int kComplexity = 7;

constexpr int kMostPacketBytes = kChannels * 1276;  // no frame of a channel is longer
constexpr int kGranulesPerSecond = 48000;           // whatever the rate of the samples is
constexpr int kPacketsPerSecond = 50;
constexpr int kPacketsPerPage = 5;  // a listener waits 100 ms for them; pages are 2 % of the bytes
constexpr int kSettlingPackets = 4;

std::span<const std::byte> bytes_of(const unsigned char* data, long count) {
  return std::as_bytes(std::span(data, static_cast<std::size_t>(count)));
}

/// One packet after the other.
class OpusPackets {
 public:
  OpusPackets(int sample_rate_hz, int bitrate) {
    int status = OPUS_OK;
    encoder_.reset(opus_encoder_create(sample_rate_hz, kChannels, OPUS_APPLICATION_AUDIO, &status));
    require(status);
    require(opus_encoder_ctl(encoder_.get(), OPUS_SET_BITRATE(bitrate)));
    require(opus_encoder_ctl(encoder_.get(), OPUS_SET_COMPLEXITY(kComplexity)));
  }

  /// Frames by which what is decoded lags.
  [[nodiscard]] int delay_frames() const {
    opus_int32 frames = 0;
    require(opus_encoder_ctl(encoder_.get(), OPUS_GET_LOOKAHEAD(&frames)));
    return frames;
  }

  /// The next packet, until the next call.
  [[nodiscard]] std::span<unsigned char> encode(std::span<const std::int16_t> samples) {
    const int frames = static_cast<int>(samples.size()) / kChannels;
    const int count = opus_encode(encoder_.get(), samples.data(), frames, packet_.data(), kMostPacketBytes);
    require(std::min(count, 0));
    return std::span(packet_).first(static_cast<std::size_t>(count));
  }

 private:
  struct Destroy {
    void operator()(OpusEncoder* encoder) const noexcept { opus_encoder_destroy(encoder); }
  };

  static void require(int status) {
    if (status != OPUS_OK) throw Error("the Opus encoder failed: " + std::string(opus_strerror(status)));
  }

  std::unique_ptr<OpusEncoder, Destroy> encoder_;
  std::array<unsigned char, kMostPacketBytes> packet_{};
};

void require_opus(const StreamEncoder::Spec& spec) {
  if (!holds(AudioFormat::opus, kChannels, spec.sample_rate_hz))
    throw InvalidArgument("a stream of Opus at " + std::to_string(spec.sample_rate_hz) +
                          " Hz was asked for; use 8000, 12000, 16000, 24000 or 48000 Hz");
  if (spec.bitrate != 0 && (spec.bitrate < kLeastBitrate || spec.bitrate > kMostBitrate))
    throw InvalidArgument("a stream of Opus with " + std::to_string(spec.bitrate) +
                          " bits a second was asked for; use " + std::to_string(kLeastBitrate) + " to " +
                          std::to_string(kMostBitrate));
}

int bitrate_of(const StreamEncoder::Spec& spec) {
  return spec.bitrate != 0 ? spec.bitrate : kDefaultBitrate;
}

bool is_packet(int frames, int sample_rate_hz) {
  constexpr std::array kTenthsOfMs{25, 50, 100, 200, 400, 600};
  return std::ranges::any_of(kTenthsOfMs, [&](int t) { return frames * 10000 == t * sample_rate_hz; });
}

class OpusStreamEncoder final : public StreamEncoder {
 public:
  explicit OpusStreamEncoder(Spec spec)
      : spec_(std::move(spec)), packets_(spec_.sample_rate_hz, bitrate_of(spec_)) {}

  [[nodiscard]] std::span<const std::byte> header() const noexcept override { return {}; }

  void encode(std::span<const std::int16_t> block, std::vector<std::byte>& out) override {
    require_block(block, spec_);
    append(out, std::as_bytes(packets_.encode(block)));
  }

 private:
  Spec spec_;
  OpusPackets packets_;
};

/// Little-endian numbers and texts, appended.
class PacketWriter {
 public:
  PacketWriter& text(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  PacketWriter& number(std::size_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<unsigned char>(value >> (8 * i) & 0xffU));
    return *this;
  }
  PacketWriter& counted(std::string_view counted) { return number(counted.size(), 4).text(counted); }
  [[nodiscard]] std::vector<unsigned char>& get() { return bytes_; }

 private:
  std::vector<unsigned char> bytes_;
};

/// RFC 7845, 5.1.
std::vector<unsigned char> opus_head(int skipped_granules, int sample_rate_hz) {
  return PacketWriter()
      .text("OpusHead")
      .number(1, 1)  // version
      .number(kChannels, 1)
      .number(static_cast<std::size_t>(skipped_granules), 2)
      .number(static_cast<std::size_t>(sample_rate_hz), 4)
      .number(0, 2)  // gain
      .number(0, 1)  // left and right
      .get();
}

/// RFC 7845, 5.2.
std::vector<unsigned char> opus_tags(const std::string& title) {
  PacketWriter packet;
  packet.text("OpusTags").counted(opus_get_version_string()).number(title.empty() ? 0 : 1, 4);
  if (!title.empty()) packet.counted("TITLE=" + title);
  return packet.get();
}

/// Packets, gathered into pages.
class OggPages {
 public:
  explicit OggPages(int serial) { ogg_stream_init(&stream_, serial); }
  ~OggPages() { ogg_stream_clear(&stream_); }
  OggPages(const OggPages&) = delete;  // libogg's memory is one's own
  OggPages& operator=(const OggPages&) = delete;

  /// Takes a packet, after which the stream is at `granule`.
  void add(std::span<unsigned char> data, std::int64_t granule) {
    ogg_packet packet{};
    packet.packet = data.data();
    packet.bytes = static_cast<long>(data.size());
    packet.b_o_s = count_ == 0 ? 1 : 0;
    packet.granulepos = granule;
    packet.packetno = count_++;
    if (ogg_stream_packetin(&stream_, &packet) != 0) throw Error("libogg has no memory for another packet");
  }

  /// Appends what was taken since as one page.
  void flush(std::vector<std::byte>& out) {
    constexpr int kMostPageBytes = 255 * 255;  // so that only we cut
    ogg_page page{};
    while (ogg_stream_flush_fill(&stream_, &page, kMostPageBytes) != 0) {
      append(out, bytes_of(page.header, page.header_len));
      append(out, bytes_of(page.body, page.body_len));
    }
  }

 private:
  ogg_stream_state stream_{};
  std::int64_t count_ = 0;
};

/// Blocks of any length in packets of 20 ms.
///
/// A decoder that joins differs by 6 dB less with each packet. After 80 ms nobody hears it, and the pre-skip
/// makes each leave these out (RFC 7845, 4.2). So that the first listener of all misses nothing, the stream
/// begins with 80 ms of silence.
class OggOpusStreamEncoder final : public StreamEncoder {
 public:
  explicit OggOpusStreamEncoder(Spec spec)
      : spec_(std::move(spec)),
        packet_samples_(kChannels * static_cast<std::size_t>(spec_.sample_rate_hz / kPacketsPerSecond)),
        packets_(spec_.sample_rate_hz, bitrate_of(spec_)),
        pages_(serial_of(spec_.first_frame)),
        granule_(spec_.first_frame * granules_per_frame()),
        pending_(kSettlingPackets * packet_samples_) {
    const int skipped =
        kSettlingPackets * kGranulesPerPacket + packets_.delay_frames() * granules_per_frame();
    for (auto packet : {opus_head(skipped, spec_.sample_rate_hz), opus_tags(spec_.title)}) {
      pages_.add(packet, 0);
      pages_.flush(header_);
    }
  }

  [[nodiscard]] std::span<const std::byte> header() const noexcept override { return header_; }

  void encode(std::span<const std::int16_t> block, std::vector<std::byte>& out) override {
    require_block(block, spec_);
    pending_.insert(pending_.end(), block.begin(), block.end());
    std::span<const std::int16_t> rest(pending_);
    for (; rest.size() >= packet_samples_; rest = rest.subspan(packet_samples_)) {
      granule_ += kGranulesPerPacket;
      pages_.add(packets_.encode(rest.first(packet_samples_)), granule_);
      if (++packets_in_page_ < kPacketsPerPage) continue;
      pages_.flush(out);
      packets_in_page_ = 0;
    }
    pending_.erase(pending_.begin(), pending_.end() - static_cast<std::ptrdiff_t>(rest.size()));
  }

 private:
  static constexpr int kGranulesPerPacket = kGranulesPerSecond / kPacketsPerSecond;

  /// Streams of one station that follow each other in one connection begin at different times.
  static int serial_of(std::int64_t first_frame) {
    constexpr std::int64_t kSerials = std::numeric_limits<int>::max();
    return static_cast<int>(1 + first_frame % kSerials);  // not 0, which some tools do not like
  }

  [[nodiscard]] int granules_per_frame() const { return kGranulesPerSecond / spec_.sample_rate_hz; }

  Spec spec_;
  std::size_t packet_samples_;
  OpusPackets packets_;
  OggPages pages_;
  std::int64_t granule_;
  std::vector<std::int16_t> pending_;  // less than a packet, and at first the silence
  int packets_in_page_ = 0;
  std::vector<std::byte> header_;
};

}  // namespace

std::unique_ptr<StreamEncoder> make_opus_stream_encoder(const StreamEncoder::Spec& spec) {
  require_opus(spec);
  if (!is_packet(spec.block_frames, spec.sample_rate_hz))
    throw InvalidArgument("Opus packets of " + std::to_string(spec.block_frames) + " frames at " +
                          std::to_string(spec.sample_rate_hz) +
                          " Hz were asked for; a packet has 2.5, 5, 10, 20, 40 or 60 ms");
  return std::make_unique<OpusStreamEncoder>(spec);
}

std::unique_ptr<StreamEncoder> make_ogg_opus_stream_encoder(const StreamEncoder::Spec& spec) {
  require_opus(spec);
  return std::make_unique<OggOpusStreamEncoder>(spec);
}

}  // namespace ringwave::io
