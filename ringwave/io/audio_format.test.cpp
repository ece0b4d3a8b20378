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
  EXPECT_EQ(audio_format_of_path("song.f32"), AudioFormat::raw);
  for (const char* path : {"song", "song.mp3", "", ".wav", "song.wav/"})
    EXPECT_THROW((void)audio_format_of_path(path), InvalidArgument) << path;
}

}  // namespace
}  // namespace ringwave::io
