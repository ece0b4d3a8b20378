// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/stream_encoder.hpp"

#include <opus.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

#include "bench/table.hpp"
#include "ringwave/synth/piece.hpp"
#include "ringwave/synth/rendering.hpp"
#include "ringwave/synth/station_effects.hpp"

namespace ringwave::bench {
namespace {

using io::StreamFormat;

constexpr int kRateHz = 48000;
constexpr int kBlockFrames = 960;
constexpr std::size_t kBlockSamples = 2 * kBlockFrames;
constexpr std::size_t kBlocks = 500;    // ten seconds of music
constexpr std::size_t kPerSample = 50;  // a second
constexpr int kOpusBitrate = 96000;
constexpr int kMp3Bitrate = 192000;
constexpr int kPcmBitrate = 2 * 16 * kRateHz;
constexpr double kMostOff = 0.25;  // of what was asked for: the rate of Opus is not constant
constexpr int kOpusComplexity = 7;

/// Ten seconds of a station, in 16 bits, left and right in turn. A codec's time depends on what it hears.
std::vector<std::int16_t> render_music() {
  std::vector<std::int16_t> made;
  const auto hear = [&made](BlockView<const float> block) {
    for (int frame = 0; frame < block.frames(); ++frame)
      for (int channel = 0; channel < 2; ++channel) {
        const float sample = block.channel(channel)[static_cast<std::size_t>(frame)];
        made.push_back(static_cast<std::int16_t>(std::lround(std::clamp(sample, -1.0F, 1.0F) * 32767)));
      }
  };
  std::vector<synth::Rendering::Station> stations;
  stations.push_back({.piece = std::make_unique<synth::ComposedPiece>(music::Settings{}, 7, kRateHz),
                      .effects = synth::effects_of(music::Settings{}),
                      .hear = hear});
  (void)synth::render_batch({.device = Device::cpu(), .sample_rate_hz = kRateHz}, std::move(stations),
                            std::int64_t{kBlockFrames} * static_cast<std::int64_t>(kBlocks), {});
  return made;
}

/// The music, block by block and round and round.
class Blocks {
 public:
  [[nodiscard]] std::span<const std::int16_t> next() {
    return std::span(samples_).subspan(kBlockSamples * (at_++ % kBlocks), kBlockSamples);
  }

 private:
  std::vector<std::int16_t> samples_ = render_music();
  std::size_t at_ = 0;
};

/// 0 where the format has none.
int asked_bitrate(StreamFormat format) {
  if (format == StreamFormat::flac) return 0;
  return format == StreamFormat::mp3 ? kMp3Bitrate : kOpusBitrate;
}

/// A second has to have about the bits that were asked for; FLAC, fewer than the samples themselves.
Check check_rate(StreamFormat format, std::size_t bytes_of_a_second) {
  const double bits = 8 * static_cast<double>(bytes_of_a_second);
  const double asked = format == StreamFormat::mp3 ? kMp3Bitrate : kOpusBitrate;
  const bool ok =
      format == StreamFormat::flac ? bits > 0 && bits < kPcmBitrate : std::abs(bits / asked - 1) < kMostOff;
  char text[64];
  std::snprintf(text, sizeof text, "%.1f kbit/s", 1e-3 * bits);
  return {ok, 0, text};
}

struct Ours {
  explicit Ours(StreamFormat format)
      : encoder(io::make_stream_encoder({.format = format,
                                         .sample_rate_hz = kRateHz,
                                         .block_frames = kBlockFrames,
                                         .bitrate = asked_bitrate(format)})) {}

  void encode_a_second() {
    out.clear();
    for (std::size_t i = 0; i < kPerSample; ++i) encoder->encode(blocks.next(), out);
  }

  Blocks blocks;
  std::unique_ptr<io::StreamEncoder> encoder;
  std::vector<std::byte> out;
};

/// What Opus takes without us.
struct Libopus {
  Libopus() {
    (void)opus_encoder_ctl(encoder.get(), OPUS_SET_BITRATE(kOpusBitrate));
    (void)opus_encoder_ctl(encoder.get(), OPUS_SET_COMPLEXITY(kOpusComplexity));
  }

  void encode_a_second() {
    bytes = 0;
    for (std::size_t i = 0; i < kPerSample; ++i)
      bytes +=
          static_cast<std::size_t>(std::max(0, opus_encode(encoder.get(), blocks.next().data(), kBlockFrames,
                                                           packet.data(), static_cast<int>(packet.size()))));
  }

  struct Destroy {
    void operator()(OpusEncoder* made) const noexcept { opus_encoder_destroy(made); }
  };
  Blocks blocks;
  std::unique_ptr<OpusEncoder, Destroy> encoder{
      opus_encoder_create(kRateHz, 2, OPUS_APPLICATION_AUDIO, nullptr)};
  std::array<unsigned char, 4000> packet{};
  std::size_t bytes = 0;
};

Duel duel(StreamFormat format) {
  Duel made;
  auto ours = std::make_shared<Ours>(format);
  made.ours = {"stream encoder", kPerSample, timed([ours](std::size_t) { ours->encode_a_second(); }),
               [ours, format] { return check_rate(format, ours->out.size()); }};
  made.least_samples = 50;
  if (format != StreamFormat::opus && format != StreamFormat::ogg_opus) return made;
  auto alone = std::make_shared<Libopus>();
  made.peers.push_back({"libopus alone", kPerSample,
                        timed([alone](std::size_t) { alone->encode_a_second(); }),
                        [alone, format] { return check_rate(format, alone->bytes); }});
  return made;
}

}  // namespace

std::vector<Case> stream_encoder_cases(Devices devices) {
  std::vector<Case> cases;
  if (!has_cpu(devices)) return cases;
  for (const StreamFormat format :
       {StreamFormat::opus, StreamFormat::ogg_opus, StreamFormat::mp3, StreamFormat::flac})
    cases.push_back({"stream_encoder/" + std::string(to_string(format)) + "/cpu",
                     "a block of 20 ms of a station for all who hear it", Device::cpu(),
                     [format] { return duel(format); }});
  return cases;
}

}  // namespace ringwave::bench
