// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/audio_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(AudioFormat, EveryFormatIsFoundByItsName) {
  for (const AudioFormat format : kAudioFormats) EXPECT_EQ(audio_format_of_name(to_string(format)), format);
}

TEST(AudioFormat, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  EXPECT_THAT([] { (void)audio_format_of_name("wav8"); },
              ThrowsMessage<InvalidArgument>(testing::AllOf(HasSubstr("'wav8'"), HasSubstr("wav16, wav24"))));
}

TEST(AudioFormat, TheEndingOfAPathTellsTheFormat) {
  EXPECT_EQ(audio_format_of_path("a.b/song.wav"), AudioFormat::wav16);
  EXPECT_EQ(audio_format_of_path("SONG.FLAC"), AudioFormat::flac);
  EXPECT_EQ(audio_format_of_path("song.oga"), AudioFormat::ogg);
  EXPECT_EQ(audio_format_of_path("song.Opus"), AudioFormat::opus);
  EXPECT_EQ(audio_format_of_path("song.mp3"), AudioFormat::mp3);
  EXPECT_EQ(audio_format_of_path("song.f32"), AudioFormat::raw);
  for (const char* path : {"song", "song.mp4", "", ".wav", "song.wav/"})
    EXPECT_THROW((void)audio_format_of_path(path), InvalidArgument) << path;
}

TEST(AudioFormat, HoldsWhatItsTextSays) {
  for (const AudioFormat format : kAudioFormats) {
    EXPECT_TRUE(holds(format, 1, 8000)) << to_string(format);
    EXPECT_TRUE(holds(format, 2, 48000)) << to_string(format);
    EXPECT_FALSE(holds(format, 0, 48000)) << to_string(format);
    EXPECT_FALSE(holds(format, 1025, 48000)) << to_string(format);
    EXPECT_FALSE(holds(format, 2, 999)) << to_string(format);
    EXPECT_FALSE(holds(format, 2, 768001)) << to_string(format);
  }
  EXPECT_EQ(shapes_text(AudioFormat::wav16), "1 to 1024 channels at 1000 to 768000 Hz");
  EXPECT_EQ(shapes_text(AudioFormat::opus), "1 to 255 channels at 8000, 12000, 16000, 24000 or 48000 Hz");
  EXPECT_EQ(shapes_text(AudioFormat::mp3),
            "1 or 2 channels at 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000 Hz");
  EXPECT_FALSE(holds(AudioFormat::opus, 2, 44100));
  EXPECT_TRUE(holds(AudioFormat::mp3, 2, 44100));
  EXPECT_FALSE(holds(AudioFormat::mp3, 3, 44100));
  EXPECT_FALSE(holds(AudioFormat::flac, 9, 44100));
  EXPECT_FALSE(holds(AudioFormat::flac, 2, 768000));
  EXPECT_FALSE(holds(AudioFormat::flac, 2, 65537));
  EXPECT_TRUE(holds(AudioFormat::flac, 2, 88200));
  EXPECT_EQ(shapes_text(AudioFormat::flac), "1 to 8 channels at 1000 to 655350 Hz, above 65535 in tens");
  EXPECT_FALSE(holds(AudioFormat::ogg, 2, 384000));
}

TEST(AudioFormat, KeepsTheDepthWhereTheContainerHoldsIt) {
  const auto wav = [](int bits, bool holds_float = false) {
    return format_for_depth(AudioFormat::wav16, bits, holds_float);
  };
  EXPECT_EQ(wav(8), AudioFormat::wav16);
  EXPECT_EQ(wav(16), AudioFormat::wav16);
  EXPECT_EQ(wav(24), AudioFormat::wav24);
  EXPECT_EQ(wav(32), AudioFormat::wav32f);
  EXPECT_EQ(wav(0, true), AudioFormat::wav32f);
  EXPECT_EQ(wav(0), AudioFormat::wav16) << "a lossy codec";
  const auto flac = [](int bits, bool holds_float = false) {
    return format_for_depth(AudioFormat::flac, bits, holds_float);
  };
  EXPECT_EQ(flac(16), AudioFormat::flac16);
  EXPECT_EQ(flac(24), AudioFormat::flac);
  EXPECT_EQ(flac(0, true), AudioFormat::flac);
  EXPECT_EQ(flac(0), AudioFormat::flac);
  EXPECT_EQ(format_for_depth(AudioFormat::mp3, 24, false), AudioFormat::mp3);
}

}  // namespace
}  // namespace ringwave::io
