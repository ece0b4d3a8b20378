// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/stream_format.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ringwave::io {
namespace {

TEST(StreamFormat, EveryOneHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const StreamFormat format : kStreamFormats) names.insert(to_string(format));
  EXPECT_EQ(names.size(), kStreamFormats.size());
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(StreamFormat, AnEndingMeansWhatPlayersTakeItFor) {
  EXPECT_EQ(stream_format_of_ending("opus"), StreamFormat::ogg_opus);
  EXPECT_EQ(stream_format_of_ending("mp3"), StreamFormat::mp3);
  EXPECT_EQ(stream_format_of_ending("flac"), StreamFormat::flac);
  EXPECT_EQ(stream_format_of_ending("wav"), StreamFormat::wav);
  for (const char* other : {"", ".mp3", "MP3", "pcm", "ogg", "mp"})
    EXPECT_EQ(stream_format_of_ending(other), std::nullopt) << other;
}

TEST(StreamFormat, WhatAPlayerCanGetHasAMediaTypeForAudio) {
  for (const char* ending : {"opus", "mp3", "flac", "wav"})
    EXPECT_TRUE(content_type(*stream_format_of_ending(ending)).starts_with("audio/")) << ending;
  EXPECT_EQ(content_type(StreamFormat::pcm), "application/octet-stream");
}

}  // namespace
}  // namespace ringwave::io
