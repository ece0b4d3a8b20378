// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/read_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(ReadFile, GivesAllBytesOrTheFirst) {
  const TemporaryFolder folder;
  const std::string content(200'000, 'x');
  TemporaryFolder::write(folder / "file", content);
  TemporaryFolder::write(folder / "empty", "");
  EXPECT_EQ(read_file(folder / "file", 1'000'000), content);
  EXPECT_EQ(read_file(folder / "file", 200'000), content);
  EXPECT_EQ(read_file(folder / "file", 70'001).size(), 70'001U);
  EXPECT_EQ(read_file(folder / "empty", 10), "");
}

TEST(ReadFile, SaysWhyItCannot) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { (void)read_file(folder / "none", 10); },
              ThrowsMessage<BadFile>(HasSubstr("none cannot be read: No such file")));
  EXPECT_THAT([&] { (void)read_file(folder / ".", 10); }, ThrowsMessage<BadFile>(HasSubstr("directory")));
}

}  // namespace
}  // namespace ringwave
