// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/audio_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <span>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_reader.hpp"
#include "tests/accuracy.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::io {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Another sine in every channel.
std::vector<float> sines(int channels, int frames, int sample_rate_hz = 48000) {
  std::vector<float> samples;
  for (int channel = 0; channel < channels; ++channel)
    for (int n = 0; n < frames; ++n)
      samples.push_back(0.5F * static_cast<float>(std::sin(2 * std::numbers::pi * (100 + 10 * channel) * n /
                                                           sample_rate_hz)));
  return samples;
}

void write(const std::string& path, const AudioWriter::Spec& spec, const std::vector<float>& samples) {
  AudioWriter writer(path, spec);
  writer.write({samples.data(), spec.channels, static_cast<int>(samples.size()) / spec.channels});
  writer.commit();
}

std::vector<float> read(const std::string& path, const AudioReader::Options& options = {}) {
  AudioReader reader(path, options);
  const int frames = static_cast<int>(reader.frames().value_or(0));
  std::vector<float> samples(static_cast<std::size_t>(frames * reader.channels()));
  EXPECT_EQ(reader.read({samples.data(), reader.channels(), frames}), frames);
  return samples;
}

double worst_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return worst;
}

bool is_ogg(AudioFormat format) {
  return format == AudioFormat::ogg || format == AudioFormat::opus;
}

struct Case {
  AudioFormat format;
  double worst;  // how far a sample may come back from where it was
};

class AudioWriterIn : public testing::TestWithParam<Case> {};

TEST_P(AudioWriterIn, WhatIsWrittenComesBack) {
  const TemporaryFolder folder;
  const auto [format, worst] = GetParam();
  for (const int channels : {1, 2, 6, 8}) {
    if (is_ogg(format) && channels > 2) break;  // Vorbis and Opus leave little of a sixth channel, their LFE
    if (!holds(format, channels, 48000)) break;
    SCOPED_TRACE(channels);
    const auto samples = sines(channels, 20000);
    write(folder / "file", {.channels = channels, .format = format}, samples);
    AudioReader::Options options;
    if (format == AudioFormat::raw) options.raw = {.channels = channels, .sample_rate_hz = 48000};
    EXPECT_LE(worst_difference(read(folder / "file", options), samples), worst);
  }
}

TEST_P(AudioWriterIn, TheCutIntoBlocksDoesNotMatter) {
  const TemporaryFolder folder;
  const AudioFormat format = GetParam().format;
  const auto samples = sines(2, 9600);
  write(folder / "whole", {.channels = 2, .format = format}, samples);
  for (const int block : {1, 64, 480}) {
    AudioWriter writer(folder / "parts", {.channels = 2, .format = format});
    const BlockView<const float> all(samples.data(), 2, 9600);
    for (int begin = 0; begin < 9600; begin += block) writer.write(all.slice(begin, block));
    writer.commit();
    const auto same = [&](const auto& what) { return what(folder / "parts") == what(folder / "whole"); };
    const bool by_samples = is_ogg(format);  // whose streams have serial numbers of their own
    EXPECT_TRUE(by_samples ? same([](const auto& path) { return read(path); })
                           : same(TemporaryFolder::content))
        << block;
  }
}

TEST_P(AudioWriterIn, WithoutACommitThereIsNothingAndTheOldStays) {
  const TemporaryFolder folder;
  const auto samples = sines(1, 20000);
  TemporaryFolder::write(folder / "old", "old");
  for (const char* name : {"old", "new"}) {
    AudioWriter writer(folder / name, {.channels = 1, .format = GetParam().format});
    writer.write({samples.data(), 1, 20000});
  }
  EXPECT_EQ(TemporaryFolder::content(folder / "old"), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST_P(AudioWriterIn, NaNIsSilenceAndCounted) {
  const TemporaryFolder folder;
  std::vector<float> samples(1000, 0.0F);
  samples[10] = std::numeric_limits<float>::quiet_NaN();
  samples[20] = -std::numeric_limits<float>::infinity();
  AudioWriter writer(folder / "file", {.channels = 1, .format = GetParam().format, .dither = false});
  writer.write({samples.data(), 1, 1000});
  writer.commit();
  EXPECT_EQ(writer.nonfinite_samples(), 2);
  EXPECT_EQ(writer.clipped_samples(), 0);
  EXPECT_EQ(writer.frames(), 1000);
  AudioReader::Options options;
  if (GetParam().format == AudioFormat::raw) options.raw = AudioReader::Raw{};
  // Opus's decoder keeps its numbers just above those that are slow.
  EXPECT_LT(worst_difference(read(folder / "file", options), std::vector<float>(1000, 0.0F)), 1e-30);
}

TEST_P(AudioWriterIn, NoFramesAreAFileToo) {
  const TemporaryFolder folder;
  write(folder / "file", {.channels = 2, .format = GetParam().format}, {});
  AudioReader::Options options;
  if (GetParam().format == AudioFormat::raw) options.raw = {.channels = 2, .sample_rate_hz = 48000};
  if (GetParam().format == AudioFormat::ogg) {  // libsndfile opens none without a page of audio
    EXPECT_THROW(AudioReader(folder / "file"), BadFile);
    return;
  }
  AudioReader reader(folder / "file", options);
  std::vector<float> block(64);
  EXPECT_EQ(reader.read({block.data(), 2, 32}), 0);
}

TEST_P(AudioWriterIn, AFullDiskIsSaidAndLeavesNothing) {
  const TemporaryFolder folder;
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { .rlim_cur = 20000, .rlim_max = before.rlim_max };
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::vector<float> noise(400'000);
  for (unsigned state = 1; float& sample : noise) {
    state = state * 1664525U + 1013904223U;
    sample = static_cast<float>(state >> 8U) / (1 << 23) - 1.0F;
  }
  std::string said;
  try {
    write(folder / "file", {.channels = 1, .format = GetParam().format}, noise);
  } catch (const BadFile& error) {
    said = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_THAT(said, AllOf(HasSubstr(folder / "file"), HasSubstr("File too large")));
  EXPECT_EQ(folder.files(), 0);
}

TEST_P(AudioWriterIn, ADeviceIsWrittenToAndNotReplaced) {
  const auto samples = sines(1, 20000);
  write("/dev/null", {.channels = 1, .format = GetParam().format}, samples);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT([&] { write("/dev/full", {.channels = 1, .format = GetParam().format}, samples); },
              ThrowsMessage<BadFile>(AllOf(HasSubstr("/dev/full"), HasSubstr("No space left"))));
}

// A step of 16 bits with its dither is at most 1.5 of 2^-15, one of 24 bits half of 2^-23; what Vorbis leaves
// of a sine at this quality is 30 dB below it, what Opus and MP3 leave where it begins and ends 18 dB.
INSTANTIATE_TEST_SUITE_P(Formats, AudioWriterIn,
                         testing::Values(Case{AudioFormat::wav16, 1.5 / 32768},
                                         Case{AudioFormat::wav24, 6e-8}, Case{AudioFormat::wav32f, 0},
                                         Case{AudioFormat::flac, 6e-8},
                                         Case{AudioFormat::flac16, 1.5 / 32768},
                                         Case{AudioFormat::ogg, 0.016}, Case{AudioFormat::opus, 0.06},
                                         Case{AudioFormat::mp3, 0.06}, Case{AudioFormat::raw, 0}),
                         [](const auto& test) { return std::string(to_string(test.param.format)); });

struct Lossy {
  AudioFormat format;
  std::vector<int> rates_hz;
};

class AudioWriterLossy : public testing::TestWithParam<Lossy> {};

// Encoders begin late and end on whole packets. By Ogg's granule positions, and the tag that LAME puts first
// in a file, what comes back has the length that was written, and lies where it was. What is not
// the sine is 27 dB below it with Opus, 34 with the others, and 25 in its last 20 ms.
TEST_P(AudioWriterLossy, EveryLengthComesBackAtEveryRate) {
  const TemporaryFolder folder;
  const auto& [format, rates_hz] = GetParam();
  for (const int rate : rates_hz)
    for (const int channels : {1, 2})
      for (const int frames : {0, 1, 100, 648, 649, 959, 960, 1151, 1152, 1153, 4800, 5000}) {
        if (format == AudioFormat::ogg && frames == 0)
          continue;  // libsndfile opens none without a page of audio
        SCOPED_TRACE(testing::Message() << rate << " Hz, " << channels << " channels, " << frames);
        const auto samples = sines(channels, frames, rate);
        write(folder / "file", {.channels = channels, .sample_rate_hz = rate, .format = format}, samples);
        AudioReader reader(folder / "file");
        EXPECT_EQ(reader.sample_rate_hz(), rate);
        EXPECT_EQ(reader.frames(), frames);
        std::vector<float> found(samples.size());
        EXPECT_EQ(reader.read({found.data(), channels, frames}), frames);
        std::vector<float> more(static_cast<std::size_t>(channels));
        EXPECT_EQ(reader.read({more.data(), channels, 1}), 0);
        if (frames < 4800) continue;
        EXPECT_GT(accuracy_db(found, samples), 25);
        const auto last = static_cast<std::size_t>(rate / 50);
        EXPECT_GT(accuracy_db(std::span(found).last(last), std::span(samples).last(last)), 20) << "the end";
      }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, AudioWriterLossy,
    testing::Values(Lossy{AudioFormat::ogg, {8000, 44100, 48000}},
                    Lossy{AudioFormat::opus, {8000, 12000, 16000, 24000, 48000}},
                    Lossy{AudioFormat::mp3, {8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000}}),
    [](const auto& test) { return std::string(to_string(test.param.format)); });

TEST(AudioWriter, CountsWhatItClips) {
  const TemporaryFolder folder;
  const std::vector<float> samples{0.5F, 1.0F, -1.0F, 1.5F, -2.0F};
  AudioWriter clipping(folder / "a.wav", {.channels = 1, .dither = false});
  clipping.write({samples.data(), 1, 5});
  clipping.commit();
  EXPECT_EQ(clipping.clipped_samples(), 2) << "full scale itself is not clipped";
  EXPECT_EQ(read(folder / "a.wav"),
            (std::vector<float>{0.5F, 32767.0F / 32768, -1.0F, 32767.0F / 32768, -1.0F}));
  for (const AudioFormat format :
       {AudioFormat::flac, AudioFormat::ogg, AudioFormat::opus, AudioFormat::mp3}) {
    AudioWriter writer(folder / "a", {.channels = 1, .format = format});
    writer.write({samples.data(), 1, 5});
    EXPECT_EQ(writer.clipped_samples(), 2) << to_string(format);
  }
  write(folder / "b.wav", {.channels = 1, .format = AudioFormat::wav32f}, samples);
  EXPECT_EQ(read(folder / "b.wav"), samples) << "float has room";
}

TEST(AudioWriter, DitherIsForSixteenBitsAndCanBeLeftOut) {
  const TemporaryFolder folder;
  const std::vector<float> quiet(1000, 0.25F / 32768);
  write(folder / "dithered.wav", {.channels = 1}, quiet);
  write(folder / "plain.wav", {.channels = 1, .dither = false}, quiet);
  EXPECT_GT(worst_difference(read(folder / "dithered.wav"), std::vector<float>(1000)), 0.0);
  EXPECT_EQ(worst_difference(read(folder / "plain.wav"), std::vector<float>(1000)), 0.0);
}

TEST(AudioWriter, RefusesAShapeThatTheFormatCannotHold) {
  const TemporaryFolder folder;
  const std::string flac = folder / "a.flac";
  EXPECT_THAT([&] { AudioWriter(flac, {.channels = 9}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("9 channels")));
  EXPECT_THAT([&] { AudioWriter(folder / "a.ogg", {.sample_rate_hz = 768000}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("768000 Hz")));
  for (const int rate : {0, -1, 10'000'000})
    EXPECT_THROW(AudioWriter(folder / "a.wav", {.sample_rate_hz = rate}), InvalidArgument);
  for (const int channels : {0, -1, 1025})
    EXPECT_THROW(AudioWriter(folder / "a.wav", {.channels = channels}), InvalidArgument);
  EXPECT_THAT([&] { AudioWriter(folder / "a.opus", {.sample_rate_hz = 44100}); },
              ThrowsMessage<InvalidArgument>(
                  AllOf(HasSubstr("44100 Hz"), HasSubstr("24000 or 48000 Hz"), HasSubstr("write wav16"))));
  EXPECT_THAT([&] { AudioWriter(folder / "a.mp3", {.channels = 3}); },
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("3 channels"), HasSubstr("1 or 2 channels"))));
  EXPECT_THROW(AudioWriter(folder / "a.mp3", {.sample_rate_hz = 96000}), InvalidArgument);
  EXPECT_THROW(AudioWriter(folder / "a.mp4", {}), InvalidArgument);
  EXPECT_THROW(AudioWriter("-", {}), InvalidArgument);
  EXPECT_EQ(folder.files(), 0);
}

TEST(AudioWriter, RefusesABlockOfAnotherShape) {
  const TemporaryFolder folder;
  AudioWriter writer(folder / "a.wav", {.channels = 2});
  const std::vector<float> block(64);
  EXPECT_THAT(
      [&] {
        writer.write({block.data(), 1, 64});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("has 2")));
}

TEST(AudioWriter, WritesTheFileBehindALink) {
  const TemporaryFolder folder;
  TemporaryFolder::write(folder / "real.wav", "old");
  std::filesystem::create_symlink("real.wav", folder / "link.wav");
  write(folder / "link.wav", {.channels = 1}, sines(1, 100));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.wav"));
  EXPECT_EQ(read(folder / "real.wav").size(), 100U);
}

TEST(AudioWriter, SaysWhereItCannotWrite) {
  EXPECT_THAT([] { AudioWriter("/proc/a.wav", {}); }, ThrowsMessage<BadFile>(HasSubstr("/proc/a.wav")));
  EXPECT_THAT([] { AudioWriter("/absent/folder/a.wav", {}); },
              ThrowsMessage<BadFile>(HasSubstr("No such file")));
}

}  // namespace
}  // namespace ringwave::io
