// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/png_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::io {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// What a decoder makes of it is seen by tests/system/test_spectrogram.py.
TEST(PngWriter, WritesASignatureTheSizeAndAnEnd) {
  const TemporaryFolder folder;
  ByteSink sink(folder / "a.png");
  write_png(sink, Image(300, 2, {1, 2, 3}));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.png")) << "not before it is committed";
  sink.commit();
  const std::string bytes = TemporaryFolder::content(folder / "a.png");
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(bytes.substr(12, 12), (std::string{'I', 'H', 'D', 'R', 0, 0, 1, 44, 0, 0, 0, 2}));
  EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND");
  EXPECT_EQ(folder.files(), 1);
}

TEST(PngWriter, AFullDiskIsSaid) {
  EXPECT_THAT(
      [] {
        ByteSink sink("/dev/full");
        write_png(sink, Image(8, 8));
      },
      ThrowsMessage<BadFile>(AllOf(HasSubstr("/dev/full"), HasSubstr("No space left"))));
}

}  // namespace
}  // namespace ringwave::io
