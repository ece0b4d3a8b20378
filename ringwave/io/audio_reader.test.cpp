// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/audio_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_writer.hpp"
#include "ringwave/io/wav_header.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::io {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A WAV file with any header and any bytes for samples.
std::string wav(const WavHeader& header, const std::string& samples) {
  return text_of(header.bytes()) + samples;
}

template <class Sample>
std::string bytes_of(const std::vector<Sample>& samples) {
  return {reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(Sample)};
}

void write_ramp(const std::string& path, AudioFormat format, int frames) {
  std::vector<float> ramp(static_cast<std::size_t>(frames));
  for (int n = 0; n < frames; ++n) ramp[static_cast<std::size_t>(n)] = static_cast<float>(n % 1000) / 1024;
  const int rate = holds(format, 1, 44100) ? 44100 : 48000;
  AudioWriter writer(path, {.channels = 1, .sample_rate_hz = rate, .format = format, .dither = false});
  writer.write(std::span<const float>(ramp));
  writer.commit();
}

/// Reads to the end in blocks.
std::int64_t drain(AudioReader& reader, int block_frames = 1000) {
  std::vector<float> block(static_cast<std::size_t>(reader.channels() * block_frames));
  std::int64_t frames = 0;
  while (const int count = reader.read({block.data(), reader.channels(), block_frames})) frames += count;
  return frames;
}

TEST(AudioReader, TellsWhatAFileIs) {
  const TemporaryFolder folder;
  write_ramp(folder / "a", AudioFormat::wav24, 1234);
  const AudioReader reader(folder / "a");
  EXPECT_EQ(reader.channels(), 1);
  EXPECT_EQ(reader.sample_rate_hz(), 44100);
  EXPECT_EQ(reader.frames(), 1234);
  EXPECT_EQ(reader.bits(), 24);
}

TEST(AudioReader, GivesTheSameSamplesForEveryBlockSize) {
  const TemporaryFolder folder;
  for (const AudioFormat format : {AudioFormat::wav16, AudioFormat::flac}) {
    write_ramp(folder / "a", format, 5000);
    for (const int block_frames : {1, 64, 480, 8192}) {
      AudioReader reader(folder / "a");
      std::vector<float> block(static_cast<std::size_t>(block_frames));
      int n = 0;
      while (const int count = reader.read(std::span(block)))
        for (int i = 0; i < count; ++i, ++n)
          ASSERT_EQ(block[static_cast<std::size_t>(i)], static_cast<float>(n % 1000) / 1024) << n;
      EXPECT_EQ(n, 5000);
      EXPECT_EQ(reader.read(std::span(block)), 0) << "the end stays the end";
    }
  }
}

TEST(AudioReader, OneSampleOfEightBitsIsAFile) {
  const TemporaryFolder folder;
  WavHeader header{.channels = 1, .sample_rate_hz = 8000, .bits = 8, .frames = 1};
  TemporaryFolder::write(folder / "a.wav", wav(header, std::string("\xC0\0", 2)));
  AudioReader reader(folder / "a.wav");
  std::vector<float> block(16);
  EXPECT_EQ(reader.bits(), 8);
  EXPECT_EQ(reader.read(std::span(block)), 1);
  EXPECT_EQ(block[0], 0.5F);
}

TEST(AudioReader, SixtyFourChannelsAreInTheirOrder) {
  const TemporaryFolder folder;
  std::vector<std::int16_t> frame;
  for (std::int16_t channel = 0; channel < 64; ++channel)
    frame.push_back(static_cast<std::int16_t>(channel * 512));
  WavHeader header{.channels = 64, .sample_rate_hz = 48000, .bits = 16, .frames = 1};
  TemporaryFolder::write(folder / "a.wav", wav(header, bytes_of(frame)));
  AudioReader reader(folder / "a.wav");
  std::vector<float> block(64);
  ASSERT_EQ(reader.read({block.data(), 64, 1}), 1);
  for (std::size_t channel = 0; channel < 64; ++channel)
    EXPECT_EQ(block[channel], static_cast<float>(channel) / 64);
}

TEST(AudioReader, NaNComesThroughAsItIs) {
  const TemporaryFolder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  WavHeader header{.channels = 1, .sample_rate_hz = 48000, .bits = 32, .frames = 3};
  TemporaryFolder::write(folder / "a.wav", wav(header, bytes_of(std::vector<float>{nan, 0.5F, nan})));
  AudioReader reader(folder / "a.wav");
  std::vector<float> block(3);
  ASSERT_EQ(reader.read(std::span(block)), 3);
  EXPECT_TRUE(std::isnan(block[0]) && std::isnan(block[2]));
  EXPECT_EQ(block[1], 0.5F);
}

TEST(AudioReader, ARateThatCannotBeIsRefused) {
  const TemporaryFolder folder;
  for (const int rate : {0, 1, 10'000'000}) {
    WavHeader header{.channels = 1, .sample_rate_hz = rate, .bits = 16, .frames = 2};
    TemporaryFolder::write(folder / "a.wav", wav(header, "1234"));
    EXPECT_THAT([&] { AudioReader reader(folder / "a.wav"); },
                ThrowsMessage<BadFile>(HasSubstr(folder / "a.wav")))
        << rate;
  }
  EXPECT_THAT([&] { AudioReader reader(folder / "a.wav"); },
              ThrowsMessage<BadFile>(HasSubstr("10000000 Hz")));
}

TEST(AudioReader, AFileThatIsCutShortIsSaid) {
  const TemporaryFolder folder;
  for (const AudioFormat format : {AudioFormat::wav16, AudioFormat::wav32f, AudioFormat::flac}) {
    write_ramp(folder / "whole", format, 50'000);
    const std::string whole = TemporaryFolder::content(folder / "whole");
    for (const double part : {0.3, 0.9, 0.999}) {
      TemporaryFolder::write(
          folder / "torn",
          whole.substr(0, static_cast<std::size_t>(static_cast<double>(whole.size()) * part)));
      EXPECT_THROW(
          {
            AudioReader reader(folder / "torn");
            drain(reader);
          },
          BadFile)
          << to_string(format) << " " << part;
    }
  }
}

TEST(AudioReader, EveryBeginningOfAFileIsAnErrorAndNoCrash) {
  const TemporaryFolder folder;
  for (const AudioFormat format :
       {AudioFormat::wav16, AudioFormat::flac, AudioFormat::ogg, AudioFormat::opus, AudioFormat::mp3}) {
    write_ramp(folder / "whole", format, 500);
    const std::string whole = TemporaryFolder::content(folder / "whole");
    for (std::size_t size = 0; size < std::min<std::size_t>(whole.size(), 200); ++size) {
      TemporaryFolder::write(folder / "torn", whole.substr(0, size));
      EXPECT_THROW(AudioReader reader(folder / "torn"); drain(reader), BadFile)
          << to_string(format) << " " << size;
    }
  }
}

TEST(AudioReader, WhatIsCutShortIsAnErrorOrSalvagedUpToTheBreak) {
  const TemporaryFolder folder;
  for (const AudioFormat format : {AudioFormat::wav16, AudioFormat::wav32f, AudioFormat::flac,
                                   AudioFormat::ogg, AudioFormat::opus, AudioFormat::mp3}) {
    SCOPED_TRACE(to_string(format));
    write_ramp(folder / "whole", format, 200'000);
    const std::string whole = TemporaryFolder::content(folder / "whole");
    TemporaryFolder::write(folder / "torn", whole.substr(0, whole.size() / 2));
    EXPECT_THAT(
        [&] {
          AudioReader reader(folder / "torn");
          drain(reader);
        },
        ThrowsMessage<BadFile>(
            AllOf(HasSubstr("is cut short"), HasSubstr("are there"), HasSubstr("--salvage"))));
    AudioReader reader(folder / "torn", {.salvage = true});
    const std::int64_t frames = drain(reader);
    EXPECT_GT(frames, 50'000);
    EXPECT_LT(frames, 150'000);
    EXPECT_THAT(reader.damage().value_or(""), HasSubstr("is cut short"));
    AudioReader intact(folder / "whole", {.salvage = true});
    drain(intact);
    EXPECT_FALSE(intact.damage().has_value());
  }
}

TEST(AudioReader, AnMp3FileOfWhichHardlyAFrameIsLeftIsAnError) {
  const TemporaryFolder folder;
  write_ramp(folder / "whole", AudioFormat::mp3, 50'000);
  const std::string whole = TemporaryFolder::content(folder / "whole");
  for (const std::size_t size : {1U, 3U, 4U, 40U, 200U, 400U}) {  // of its first frame, that has no samples
    TemporaryFolder::write(folder / "torn", whole.substr(0, size));
    EXPECT_THROW(AudioReader reader(folder / "torn"); drain(reader), BadFile) << size;
  }
}

TEST(AudioReader, ARecordersSizesOfZeroMeanToTheEnd) {
  const TemporaryFolder folder;
  const std::string samples(2000, '\x10');
  const std::string whole = wav({.channels = 1, .sample_rate_hz = 8000, .frames = 1000}, samples);
  for (const std::string& riff : {std::string(4, '\0'), std::string("\x24\0\0\0", 4), std::string(4, '\xff')})
    for (const std::string& data : {std::string(4, '\0'), std::string(4, '\xff')}) {
      if (riff[0] == 0x24 && data[0] != 0) continue;  // a header that counts itself only, with a size in it
      std::string recorded = whole;
      recorded.replace(4, 4, riff).replace(40, 4, data);
      TemporaryFolder::write(folder / "a.wav", recorded);
      AudioReader reader(folder / "a.wav");
      EXPECT_EQ(reader.frames(), 1000);
      EXPECT_EQ(drain(reader), 1000);
    }
}

TEST(AudioReader, AFileWithoutSamplesIsNoRecordersFile) {
  const TemporaryFolder folder;
  std::string empty =
      wav({.channels = 1, .sample_rate_hz = 8000, .frames = 0}, "") + std::string("LIST\x04\0\0\0INFO", 12);
  empty[4] = static_cast<char>(empty.size() - 8);
  TemporaryFolder::write(folder / "a.wav", empty);
  AudioReader reader(folder / "a.wav");
  EXPECT_EQ(drain(reader), 0);
}

TEST(AudioReader, SixChannelsComeInOurOrderFromEveryFormat) {
  const TemporaryFolder folder;
  constexpr int kFrames = 48'000;
  std::vector<float> samples;  // every channel at a level of its own, at a pitch that an LFE has, too
  for (int channel = 0; channel < 6; ++channel)
    for (int n = 0; n < kFrames; ++n)
      samples.push_back(static_cast<float>(0.1 * (channel + 1) * std::sin(0.008 * n)));
  for (const AudioFormat format :
       {AudioFormat::wav16, AudioFormat::flac, AudioFormat::ogg, AudioFormat::opus}) {
    AudioWriter writer(folder / "a", {.channels = 6, .format = format});
    writer.write({samples.data(), 6, kFrames});
    writer.commit();
    AudioReader reader(folder / "a");
    EXPECT_EQ(reader.speakers(), 0x3fU) << to_string(format);
    std::vector<float> found(samples.size());
    ASSERT_EQ(reader.read({found.data(), 6, kFrames}), kFrames);
    for (int channel = 0; channel < 6; ++channel) {
      float most = 0;
      for (int n = kFrames / 2; n < kFrames * 3 / 4; ++n)
        most = std::max(most, found[static_cast<std::size_t>(channel * kFrames + n)]);
      // Vorbis keeps low frequencies by their pitch rather than their level.
      EXPECT_NEAR(most, 0.1 * (channel + 1), channel == 3 ? 0.12 : 0.04)
          << to_string(format) << " " << channel;
    }
  }
}

TEST(AudioReader, WhatIsNoAudioIsSaidInOneSentence) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.wav";
  TemporaryFolder::write(path, "");
  EXPECT_THAT([&] { AudioReader reader(path); },
              ThrowsMessage<BadFile>(AllOf(HasSubstr(path), HasSubstr("empty"))));
  for (const std::string& content : {std::string("x"), std::string("Dear reader, this is a letter."),
                                     std::string(1000, '\0'), std::string("\x89PNG\r\n\x1a\n12345678")}) {
    TemporaryFolder::write(path, content);
    EXPECT_THAT([&] { AudioReader reader(path); },
                ThrowsMessage<BadFile>(AllOf(HasSubstr(path), HasSubstr("no audio file"))));
  }
  TemporaryFolder::write(path, std::string("RIFF\x24\0\0\0WAVEjunk", 16) + std::string(28, 'x'));
  EXPECT_THROW(AudioReader reader(path), BadFile);
}

TEST(AudioReader, RawSamplesNeedAShape) {
  const TemporaryFolder folder;
  const std::vector<float> samples{0.1F, 0.2F, 0.3F, 0.4F};
  TemporaryFolder::write(folder / "a.raw", bytes_of(samples));
  EXPECT_THAT([&] { AudioReader reader(folder / "a.raw"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("channels")));
  EXPECT_THROW(AudioReader(folder / "a.raw", {.raw = AudioReader::Raw{0, 48000}}), InvalidArgument);
  EXPECT_THROW(AudioReader(folder / "a.raw", {.raw = AudioReader::Raw{1, 0}}), InvalidArgument);
  EXPECT_THAT(
      [&] {
        AudioReader(folder / "a.raw", {.raw = AudioReader::Raw{3, 48000}});
      },
      ThrowsMessage<BadFile>(HasSubstr("middle of a frame")));
  AudioReader reader(folder / "a.raw", {.raw = AudioReader::Raw{2, 48000}});
  std::vector<float> block(4);
  ASSERT_EQ(reader.read({block.data(), 2, 2}), 2);
  EXPECT_EQ(block, (std::vector<float>{0.1F, 0.3F, 0.2F, 0.4F}));
}

TEST(AudioReader, ABlockOfAnotherShapeIsRefused) {
  const TemporaryFolder folder;
  write_ramp(folder / "a", AudioFormat::wav16, 100);
  AudioReader reader(folder / "a");
  std::vector<float> block(20);
  EXPECT_THAT(
      [&] {
        reader.read({block.data(), 2, 10});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("2 channels")));
}

}  // namespace
}  // namespace ringwave::io
