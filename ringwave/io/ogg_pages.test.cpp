// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/ogg_pages.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ringwave/io/audio_reader.hpp"
#include "ringwave/io/audio_writer.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::io {
namespace {

std::span<std::byte> bytes_of(std::string& text) {
  return std::as_writable_bytes(std::span(text));
}

/// An Ogg file whose positions and checksums are libogg's.
class OggPages : public testing::TestWithParam<AudioFormat> {
 protected:
  OggPages() {
    const std::vector<float> samples(100'000, 0.25F);
    AudioWriter writer(path_, {.channels = 2, .format = GetParam()});
    writer.write({samples.data(), 2, 50'000});
    writer.commit();
    file_ = TemporaryFolder::content(path_);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "file";
  std::string file_;
};

TEST_P(OggPages, TakenOffNothingThePagesAreAsTheyWere) {
  const std::string before = file_;
  EXPECT_TRUE(shorten_ogg(bytes_of(file_), 0));
  EXPECT_EQ(file_, before) << "another checksum than libogg's";
}

TEST_P(OggPages, TheStreamEndsEarlier) {
  ASSERT_TRUE(shorten_ogg(bytes_of(file_), 100));
  TemporaryFolder::write(path_, file_);
  AudioReader reader(path_);
  EXPECT_EQ(reader.frames(), 49'900);
  std::vector<float> block(100'000);
  EXPECT_EQ(reader.read({block.data(), 2, 50'000}), 49'900);
}

TEST_P(OggPages, WhatAreNoWholePagesIsLeftAlone) {
  const std::string before = file_;
  EXPECT_FALSE(shorten_ogg(bytes_of(file_), 1'000'000)) << "before its beginning";
  EXPECT_EQ(file_, before);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{26}, std::size_t{27},
                                 file_.size() / 2, file_.size() - 1}) {
    std::string torn = before.substr(0, size);
    EXPECT_FALSE(shorten_ogg(bytes_of(torn), 1)) << size;
    EXPECT_EQ(torn, before.substr(0, size));
  }
  std::string more = before + "x";
  EXPECT_FALSE(shorten_ogg(bytes_of(more), 1));
}

INSTANTIATE_TEST_SUITE_P(Formats, OggPages, testing::Values(AudioFormat::ogg, AudioFormat::opus),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace ringwave::io
