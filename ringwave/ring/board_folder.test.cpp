// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/board_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::ring {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class BoardFolderTest : public testing::Test {
 protected:
  TemporaryFolder place_;
  const std::string path_ = place_ / "board";
};

TEST_F(BoardFolderTest, IsMadeForItsUserAlone) {
  EXPECT_FALSE(BoardFolder::open(path_).has_value());
  EXPECT_EQ(BoardFolder::make(path_).path(), path_);
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_all);
  EXPECT_TRUE(BoardFolder::open(path_).has_value());
  EXPECT_NO_THROW((void)BoardFolder::make(path_));
}

TEST_F(BoardFolderTest, WhatOthersMayEnterIsRefused) {
  (void)BoardFolder::make(path_);
  for (const mode_t mode : {0750U, 0701U, 0777U}) {
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
    EXPECT_THROW((void)BoardFolder::open(path_), BadFile);
    EXPECT_THROW((void)BoardFolder::make(path_), BadFile);
  }
}

TEST_F(BoardFolderTest, WhatIsAnotherUsersIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  (void)BoardFolder::make(path_);
  ASSERT_EQ(chown(path_.c_str(), 12345, 12345), 0);
  EXPECT_THROW((void)BoardFolder::open(path_), BadFile);
}

TEST_F(BoardFolderTest, LinksAndFilesAreRefused) {
  (void)BoardFolder::make(path_);
  fs::create_directory_symlink(path_, place_ / "link");
  EXPECT_THROW((void)BoardFolder::open(place_ / "link"), BadFile);
  TemporaryFolder::write(place_ / "file", "");
  EXPECT_THROW((void)BoardFolder::make(place_ / "file"), BadFile);
  EXPECT_THROW((void)BoardFolder::make(place_ / "absent/board"), BadFile);
}

TEST_F(BoardFolderTest, AFileIsWrittenAsAWhole) {
  const BoardFolder folder = BoardFolder::make(path_);
  folder.write("17", "one");
  folder.write("17", "another");
  EXPECT_THAT(folder.names(), ElementsAre("17"));
  EXPECT_EQ(folder.read("17", 100), "another");
  EXPECT_EQ(fs::status(path_ + "/17").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  folder.remove("17");
  EXPECT_THAT(folder.names(), IsEmpty());
  EXPECT_THROW((void)folder.read("17", 100), BadFile);
}

TEST_F(BoardFolderTest, WhatIsNoPlainFileIsNotRead) {
  const BoardFolder folder = BoardFolder::make(path_);
  ASSERT_EQ(mkfifo((path_ + "/pipe").c_str(), 0600), 0);
  fs::create_directory(path_ + "/folder");
  TemporaryFolder::write(place_ / "elsewhere", "secret");
  fs::create_symlink(place_ / "elsewhere", path_ + "/link");
  for (const char* name : {"pipe", "folder", "link"}) EXPECT_THROW((void)folder.read(name, 100), BadFile);
  folder.write("long", std::string(101, 'x'));
  EXPECT_THROW((void)folder.read("long", 100), BadFile);
  EXPECT_EQ(folder.read("long", 101).size(), 101U);
}

}  // namespace
}  // namespace ringwave::ring
