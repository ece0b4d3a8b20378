// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/stream_encoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <opus.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_reader.hpp"
#include "tests/accuracy.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::io {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Bytes = std::vector<std::byte>;
constexpr double kExact = 400;  // dB, as accuracy_db() says it
constexpr int kBlockFrames = 960;

// Where things are in a page of Ogg, and in that of OpusHead.
constexpr std::size_t kPositionAt = 6;
constexpr std::size_t kSegmentsAt = 26;
constexpr std::size_t kPreSkipAt = 28 + 10;

/// 997 Hz, which no block, frame or packet is a multiple of: left at half of full scale, right at a quarter.
std::vector<std::int16_t> sine(int frames, int sample_rate_hz = 48000) {
  std::vector<std::int16_t> samples;
  for (int n = 0; n < frames; ++n)
    for (const double amplitude : {16384.0, 8192.0})
      samples.push_back(static_cast<std::int16_t>(
          std::lround(amplitude * std::sin(2 * std::numbers::pi * 997 * n / sample_rate_hz))));
  return samples;
}

struct Stream {
  StreamEncoder::Spec spec;
  Bytes header;
  std::vector<Bytes> pieces;
  std::vector<int>
      begins;  // of each piece, how many frames had been given before the block that made it whole

  /// As one gets it who joins before a piece.
  [[nodiscard]] std::string from(std::size_t piece) const {
    const auto text = [](const Bytes& bytes) {
      return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    std::string all = text(header);
    for (; piece < pieces.size(); ++piece) all += text(pieces[piece]);
    return all;
  }
};

Stream encode(const StreamEncoder::Spec& spec, std::span<const std::int16_t> samples) {
  const auto encoder = make_stream_encoder(spec);
  Stream stream{spec, {encoder->header().begin(), encoder->header().end()}, {}, {}};
  const auto block = 2 * static_cast<std::size_t>(spec.block_frames);
  for (std::size_t begin = 0; begin + block <= samples.size(); begin += block) {
    Bytes piece;
    encoder->encode(samples.subspan(begin, block), piece);
    if (piece.empty()) continue;
    stream.pieces.push_back(std::move(piece));
    stream.begins.push_back(static_cast<int>(begin / 2));
  }
  return stream;
}

/// A decoder's samples, left and right in turn.
std::vector<float> decode_packets(const Stream& stream, std::size_t piece) {
  OpusDecoder* decoder = opus_decoder_create(stream.spec.sample_rate_hz, 2, nullptr);
  std::vector<float> samples;
  std::vector<float> block(2 * static_cast<std::size_t>(stream.spec.block_frames));
  for (; piece < stream.pieces.size(); ++piece) {
    const auto* data = reinterpret_cast<const unsigned char*>(stream.pieces[piece].data());
    const auto bytes = static_cast<opus_int32>(stream.pieces[piece].size());
    EXPECT_EQ(opus_decode_float(decoder, data, bytes, block.data(), stream.spec.block_frames, 0),
              stream.spec.block_frames);
    samples.insert(samples.end(), block.begin(), block.end());
  }
  opus_decoder_destroy(decoder);
  return samples;
}

std::vector<float> decode_file(const Stream& stream, std::size_t piece) {
  const TemporaryFolder folder;
  TemporaryFolder::write(folder / "stream", stream.from(piece));
  AudioReader reader(folder / "stream", {.salvage = true});  // a stream has no last page
  EXPECT_EQ(reader.channels(), 2);
  EXPECT_EQ(reader.sample_rate_hz(), stream.spec.sample_rate_hz);
  constexpr int kChunkFrames = 1000;
  std::vector<float> samples;
  std::vector<float> chunk(2 * kChunkFrames);
  while (const int count = reader.read({chunk.data(), 2, kChunkFrames}))
    for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n)
      for (const std::size_t channel : {0U, 1U}) samples.push_back(chunk[channel * kChunkFrames + n]);
  return samples;
}

std::vector<float> floats(std::span<const std::int16_t> samples) {
  std::vector<float> found;
  for (const std::int16_t sample : samples) found.push_back(static_cast<float>(sample) / 32768);
  return found;
}

std::vector<float> decode_samples(const Stream& stream, std::size_t piece) {
  const std::string bytes = stream.from(piece);
  std::vector<std::int16_t> samples(bytes.size() / 2);
  std::memcpy(samples.data(), bytes.data(), 2 * samples.size());
  return floats(samples);
}

std::size_t number_at(const Bytes& bytes, std::size_t at, std::size_t count) {
  std::size_t value = 0;
  std::memcpy(&value, &bytes.at(at), count);
  return value;
}

std::size_t byte_at(const Bytes& bytes, std::size_t at) {
  return std::to_integer<std::size_t>(bytes.at(at));
}

/// By libopus, less the pre-skip: libsndfile takes a stream that begins late for one that has none.
std::vector<float> decode_late_pages(const Stream& stream, std::size_t piece) {
  Stream packets{stream.spec, {}, {}, {}};
  for (; piece < stream.pieces.size(); ++piece) {
    const Bytes& page = stream.pieces[piece];
    const std::size_t segments = byte_at(page, kSegmentsAt);
    auto data = page.begin() + static_cast<std::ptrdiff_t>(kSegmentsAt + 1 + segments);
    Bytes packet;
    for (std::size_t i = 0; i < segments; ++i) {
      const std::size_t bytes = byte_at(page, kSegmentsAt + 1 + i);
      packet.insert(packet.end(), data, data + static_cast<std::ptrdiff_t>(bytes));
      data += static_cast<std::ptrdiff_t>(bytes);
      if (bytes < 255) packets.pieces.push_back(std::exchange(packet, {}));
    }
  }
  const auto samples = decode_packets(packets, 0);
  return {samples.begin() + static_cast<std::ptrdiff_t>(2 * number_at(stream.header, kPreSkipAt, 2)),
          samples.end()};
}

std::vector<float> decode_pages(const Stream& stream, std::size_t piece) {
  return piece == 0 ? decode_file(stream, 0) : decode_late_pages(stream, piece);
}

bool is_whole_block(const Bytes& piece, int block_frames) {
  return piece.size() == 4 * static_cast<std::size_t>(block_frames);
}

bool is_whole_packet(const Bytes& piece, int block_frames) {
  const auto* data = reinterpret_cast<const unsigned char*>(piece.data());
  return opus_packet_get_nb_samples(data, static_cast<opus_int32>(piece.size()), 48000) == block_frames;
}

/// Pages of Ogg, none of which continues the one before it.
bool is_whole_pages(const Bytes& piece, int /*block_frames*/) {
  std::size_t at = 0;
  while (at + 27 <= piece.size()) {
    if (std::memcmp(&piece[at], "OggS", 4) != 0 || (byte_at(piece, at + 5) & 1U) != 0) return false;
    const std::size_t segments = byte_at(piece, at + 26);
    std::size_t body = 0;
    for (std::size_t i = 0; i < segments; ++i) body += byte_at(piece, at + 27 + i);
    at += 27 + segments + body;
  }
  return at == piece.size();
}

/// Frames of MPEG-1 layer III, 192 kbit/s, 48 kHz, whose data begin in themselves.
bool is_whole_mp3_frames(const Bytes& piece, int /*block_frames*/) {
  constexpr std::size_t kFrameBytes = 576;
  for (std::size_t at = 0; at < piece.size(); at += kFrameBytes) {
    const bool begins = byte_at(piece, at) == 0xff && (byte_at(piece, at + 1) & 0xfeU) == 0xfaU &&
                        byte_at(piece, at + 2) == 0xb4;
    const std::size_t reservoir = byte_at(piece, at + 4) << 1U | byte_at(piece, at + 5) >> 7U;
    if (!begins || reservoir != 0) return false;
  }
  return piece.size() % kFrameBytes == 0;
}

/// Every frame ends with its checksum, after which that of all is 0 again.
bool is_whole_flac_frames(const Bytes& piece, int /*block_frames*/) {
  unsigned sum = 0;
  for (const std::byte byte : piece) {
    sum ^= std::to_integer<unsigned>(byte) << 8U;
    for (int bit = 0; bit < 8; ++bit) sum = (sum << 1U ^ ((sum & 0x8000U) != 0 ? 0x8005U : 0U)) & 0xffffU;
  }
  return sum == 0 && byte_at(piece, 0) == 0xff && byte_at(piece, 1) == 0xf8;
}

/// What a format promises, and how it is seen.
struct Case {
  StreamFormat format;
  std::vector<float> (*decode)(const Stream&, std::size_t piece);  // the stream of one who joins there
  bool (*is_whole)(const Bytes& piece, int block_frames);
  int delay_frames;     // by which what is decoded lags
  int pending_frames;   // at most so many are not out yet
  double accuracy_db;   // of a sine
  int settling_frames;  // after joining, until what is heard is what all hear …
  double settled_db;    // … to this
};

// pending_frames: the fifth packet of a page of Ogg, and libopus's 312 frames; two of LAME's; a frame of FLAC
// and the block that begins the next.
// accuracy_db: what is left of the sine is 41 dB of Opus and 30 of MP3, whose sudden begin costs most.
// settling_frames: Opus comes closer by 6 dB with each packet, of which a joiner in Ogg leaves out the first
// four; what a frame of MP3 leaves reaches into the next.
constexpr std::array kCases{
    Case{StreamFormat::pcm, decode_samples, is_whole_block, 0, 0, kExact, 0, kExact},
    Case{StreamFormat::opus, decode_packets, is_whole_packet, 312, 0, 38, 11520, 60},
    Case{StreamFormat::ogg_opus, decode_pages, is_whole_pages, 0, 4800 + 312, 38, 7680, 60},
    Case{StreamFormat::mp3, decode_file, is_whole_mp3_frames, 1105, 2 * 1152, 27, 2 * 1152, kExact},
    Case{StreamFormat::flac, decode_file, is_whole_flac_frames, 0, 1920 + 960, kExact, 0, kExact},
    Case{StreamFormat::wav, decode_file, is_whole_block, 0, 0, kExact, 0, kExact}};
static_assert(kCases.size() == kStreamFormats.size());

class StreamEncoderIn : public testing::TestWithParam<Case> {
 protected:
  static StreamEncoder::Spec spec() { return {.format = GetParam().format, .block_frames = kBlockFrames}; }
};

// So much of the sine is left that level, frequency, place and both channels are right, and nothing is
// missing in between.
TEST_P(StreamEncoderIn, WhatIsEncodedComesBack) {
  const auto samples = sine(100 * kBlockFrames);
  const auto found = GetParam().decode(encode(spec(), samples), 0);
  EXPECT_LE(found.size(), samples.size());
  EXPECT_GE(found.size() + 2 * static_cast<std::size_t>(GetParam().pending_frames), samples.size());
  const auto delay = 2 * static_cast<std::size_t>(GetParam().delay_frames);
  EXPECT_GE(accuracy_db(std::span(found).subspan(delay), floats(samples)), GetParam().accuracy_db);
}

TEST_P(StreamEncoderIn, OneWhoJoinsHearsWhatAllHear) {
  const auto samples = sine(100 * kBlockFrames);
  const Stream stream = encode(spec(), samples);
  const auto all = GetParam().decode(stream, 0);
  const auto settling = 2 * static_cast<std::size_t>(GetParam().settling_frames);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, stream.pieces.size() / 2}) {
    SCOPED_TRACE(piece);
    const auto joined = GetParam().decode(stream, piece);
    const auto later = 2 * static_cast<std::size_t>(stream.begins[piece]);
    ASSERT_LT(joined.size(), all.size());
    EXPECT_GE(joined.size() + later, all.size()) << "something is missing";
    const auto settled = std::span(joined).subspan(settling);
    EXPECT_GE(accuracy_db(settled, std::span(all).last(settled.size())), GetParam().settled_db);
  }
}

TEST_P(StreamEncoderIn, EveryPieceIsWhole) {
  const Stream stream = encode(spec(), sine(100 * kBlockFrames));
  EXPECT_GE(stream.pieces.size(), 20U) << "a listener would wait for them";
  for (const Bytes& piece : stream.pieces) EXPECT_TRUE(GetParam().is_whole(piece, kBlockFrames));
}

TEST_P(StreamEncoderIn, TheSameBlocksGiveTheSameBytes) {
  const auto samples = sine(20 * kBlockFrames);
  EXPECT_EQ(encode(spec(), samples).from(0), encode(spec(), samples).from(0));
}

// A bare packet is a block: with others the codec decides otherwise. In 2.5 ms it leaves 19 dB of a sine.
TEST_P(StreamEncoderIn, TheCutIntoBlocksDoesNotMatter) {
  const bool is_bare = GetParam().format == StreamFormat::opus;
  const auto samples = sine(48000);
  const auto whole = GetParam().decode(encode(spec(), samples), 0);
  for (const int block_frames : is_bare ? std::vector{120, 480, 2880} : std::vector{16, 441, 4097, 8192}) {
    SCOPED_TRACE(block_frames);
    StreamEncoder::Spec other = spec();
    other.block_frames = block_frames;
    const Stream stream = encode(other, samples);
    for (const Bytes& piece : stream.pieces) ASSERT_TRUE(GetParam().is_whole(piece, block_frames));
    auto found = GetParam().decode(stream, 0);
    found.resize(std::min(found.size(), whole.size()));
    EXPECT_GE(found.size() + 4 * std::size_t{8192}, samples.size())
        << "two of the longest blocks are pending";
    EXPECT_GE(accuracy_db(found, whole), is_bare ? 16 : kExact);
  }
}

double level(const std::vector<float>& samples) {
  double sum = 0;
  for (const float sample : samples) sum += static_cast<double>(sample) * static_cast<double>(sample);
  return std::sqrt(sum / static_cast<double>(samples.size()));
}

TEST_P(StreamEncoderIn, SilenceIsSilent) {
  const auto found = GetParam().decode(encode(spec(), std::vector<std::int16_t>(200 * kBlockFrames)), 0);
  EXPECT_LT(level(found), 1e-30) << "Opus's decoder keeps its numbers just above those that are slow";
}

// A square wave of 750 Hz is more than codecs like: what is above 20 kHz they leave out.
TEST_P(StreamEncoderIn, FullScaleIsTaken) {
  std::vector<std::int16_t> samples(std::size_t{200} * kBlockFrames,
                                    std::numeric_limits<std::int16_t>::max());
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (i / 64 % 2 != 0) samples[i] = std::numeric_limits<std::int16_t>::min();
  EXPECT_NEAR(level(GetParam().decode(encode(spec(), samples), 0)), 1, 0.05);
}

TEST_P(StreamEncoderIn, ABlockOfAnotherLengthIsRefused) {
  const auto encoder = make_stream_encoder(spec());
  Bytes out;
  for (const std::size_t samples : {0U, 2U, 2U * kBlockFrames - 1, 4U * kBlockFrames})
    EXPECT_THAT([&] { encoder->encode(std::vector<std::int16_t>(samples), out); },
                ThrowsMessage<InvalidArgument>(HasSubstr("960 stereo frames")));
  EXPECT_TRUE(out.empty());
}

TEST_P(StreamEncoderIn, AWrongSpecIsRefused) {
  const auto with = [](auto change) {
    StreamEncoder::Spec changed = spec();
    change(changed);
    return [changed] { (void)make_stream_encoder(changed); };
  };
  for (const int rate : {0, -48000, 999, 1'000'000})
    EXPECT_THAT(with([&](auto& s) { s.sample_rate_hz = rate; }),
                ThrowsMessage<InvalidArgument>(HasSubstr(std::to_string(rate) + " Hz")));
  for (const int frames : {0, -1, 15, 8193})
    EXPECT_THAT(with([&](auto& s) { s.block_frames = frames; }),
                ThrowsMessage<InvalidArgument>(HasSubstr("16 to 8192")));
  for (const int bitrate : {-1, 1, 5999, 510001})
    EXPECT_THAT(with([&](auto& s) { s.bitrate = bitrate; }),
                ThrowsMessage<InvalidArgument>(HasSubstr("bit")));
  for (const char* title : {"\n", "\xff", "\xc3", "\xe2\x82", "\xc0\xaf", "\xed\xa0\x80", "\x7f"})
    EXPECT_THAT(with([&](auto& s) { s.title = title; }),
                ThrowsMessage<InvalidArgument>(HasSubstr("not UTF-8")));
  EXPECT_THAT(with([](auto& s) { s.title = std::string(1001, 'a'); }),
              ThrowsMessage<InvalidArgument>(HasSubstr("1001 bytes")));
  for (const std::int64_t first : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()})
    EXPECT_THAT(with([&](auto& s) { s.first_frame = first; }),
                ThrowsMessage<InvalidArgument>(HasSubstr("at frame " + std::to_string(first))));
}

INSTANTIATE_TEST_SUITE_P(Formats, StreamEncoderIn, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(to_string(test.param.format)); });

// Where players tell the time: a page's position less the pre-skip is that of the last frame in it.
TEST(StreamEncoderOgg, PositionsCountFromTheFirstFrame) {
  constexpr std::int64_t kFirst = 123'456'789'000;
  for (const int rate : {8000, 24000, 48000}) {
    SCOPED_TRACE(rate);
    const StreamEncoder::Spec spec{.format = StreamFormat::ogg_opus,
                                   .sample_rate_hz = rate,
                                   .block_frames = rate / 50,
                                   .first_frame = kFirst};
    const auto samples = sine(rate, rate);
    const Stream stream = encode(spec, samples);
    const auto frames = static_cast<std::int64_t>(decode_file(stream, 0).size()) / 2;
    const auto skip = static_cast<std::int64_t>(number_at(stream.header, kPreSkipAt, 2));
    const auto last = static_cast<std::int64_t>(number_at(stream.pieces.back(), kPositionAt, 8));
    EXPECT_EQ((last - skip) * rate, (kFirst + frames) * 48000);
  }
}

TEST(StreamEncoderOgg, APageComesAtLeastEvery100Ms) {
  for (const int block_frames : {120, 960, 2880}) {
    const Stream stream =
        encode({.format = StreamFormat::ogg_opus, .block_frames = block_frames}, sine(48000));
    for (std::size_t i = 1; i < stream.begins.size(); ++i)
      EXPECT_LT(stream.begins[i] - stream.begins[i - 1], 4800 + block_frames);
  }
}

TEST(StreamEncoderTitle, IsInTheHeaderWhereTheFormatHasOne) {
  for (const StreamFormat format : kStreamFormats) {
    StreamEncoder::Spec spec{.format = format, .title = "Fl\u00fcsse \u266b"};
    const Stream titled = encode(spec, sine(48000));
    const bool has_title =
        format == StreamFormat::ogg_opus || format == StreamFormat::mp3 || format == StreamFormat::flac;
    EXPECT_EQ(titled.from(titled.pieces.size()).find(spec.title) != std::string::npos, has_title)
        << to_string(format);
    spec.title.clear();
    const Stream plain = encode(spec, sine(48000));
    EXPECT_EQ(titled.pieces, plain.pieces) << to_string(format);
    if (has_title) {
      EXPECT_EQ(decode_file(titled, 0), decode_file(plain, 0)) << to_string(format);
    }
  }
}

TEST(StreamEncoderBitrate, IsThatOfTheBytes) {
  const auto samples = sine(5 * 48000);
  const auto bitrate_of = [&](StreamFormat format, int bitrate) {
    const Stream stream = encode({.format = format, .bitrate = bitrate}, samples);
    return static_cast<double>(stream.from(0).size()) * 8 / 5;
  };
  // Opus gives a packet what it needs and keeps the mean; pages and what is pending are a few percent.
  for (const StreamFormat format : {StreamFormat::opus, StreamFormat::ogg_opus}) {
    EXPECT_NEAR(bitrate_of(format, 0), 96000, 0.1 * 96000) << to_string(format);
    EXPECT_NEAR(bitrate_of(format, 256000), 256000, 0.1 * 256000) << to_string(format);
  }
  EXPECT_NEAR(bitrate_of(StreamFormat::mp3, 0), 192000, 0.02 * 192000);
  EXPECT_NEAR(bitrate_of(StreamFormat::mp3, 320000), 320000, 0.02 * 320000);
}

struct Shape {
  StreamFormat format;
  int sample_rate_hz;
  int block_frames;
};

// 44.1 kHz makes frames of MP3 longer by a byte in turn.
TEST(StreamEncoderRates, OthersComeBackToo) {
  for (const auto& [format, rate, block_frames] :
       {Shape{StreamFormat::mp3, 44100, 882}, Shape{StreamFormat::mp3, 32000, 640},
        Shape{StreamFormat::flac, 44100, 441}, Shape{StreamFormat::flac, 96000, 1920},
        Shape{StreamFormat::flac, 192000, 8192}, Shape{StreamFormat::wav, 192000, 960},
        Shape{StreamFormat::ogg_opus, 16000, 1000}}) {
    SCOPED_TRACE(testing::Message() << to_string(format) << " at " << rate);
    const auto samples = sine(rate, rate);
    const Stream stream =
        encode({.format = format, .sample_rate_hz = rate, .block_frames = block_frames}, samples);
    for (const std::size_t piece : {std::size_t{0}, stream.pieces.size() / 2}) {
      const auto found = decode_file(stream, piece);
      EXPECT_GT(found.size() + 2 * static_cast<std::size_t>(stream.begins[piece]) + 4 * 8192, samples.size());
    }
    const int delay_frames = format == StreamFormat::mp3 ? 1105 : 0;
    const auto found = decode_file(stream, 0);
    EXPECT_GT(
        accuracy_db(std::span(found).subspan(2 * static_cast<std::size_t>(delay_frames)), floats(samples)),
        20);
  }
}

TEST(StreamEncoderRates, ThatAFormatHasNotAreRefused) {
  const auto make = [](const StreamEncoder::Spec& spec) {
    return [spec] { (void)make_stream_encoder(spec); };
  };
  EXPECT_THAT(make({.format = StreamFormat::opus, .sample_rate_hz = 44100, .block_frames = 882}),
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("44100 Hz"), HasSubstr("24000 or 48000 Hz"))));
  EXPECT_THAT(make({.format = StreamFormat::ogg_opus, .sample_rate_hz = 44100}),
              ThrowsMessage<InvalidArgument>(HasSubstr("44100 Hz")));
  EXPECT_THAT(make({.format = StreamFormat::opus, .block_frames = 1000}),
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("1000 frames"), HasSubstr("20, 40 or 60 ms"))));
  EXPECT_THAT(make({.format = StreamFormat::mp3, .sample_rate_hz = 96000}),
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("96000 Hz"), HasSubstr("44100 or 48000"))));
  EXPECT_THAT(make({.format = StreamFormat::mp3, .bitrate = 100000}),
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("100000"), HasSubstr("320 thousand"))));
  EXPECT_THAT(make({.format = StreamFormat::flac, .sample_rate_hz = 700000}),
              ThrowsMessage<InvalidArgument>(HasSubstr("700000 Hz")));
  EXPECT_THAT(make({.format = StreamFormat::wav, .bitrate = 96000}),
              ThrowsMessage<InvalidArgument>(HasSubstr("leave it 0")));
}

}  // namespace
}  // namespace ringwave::io
