// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/read_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <thread>

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

TEST(ReadFile, APipeIsRefusedAndNotWaitedFor) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const ReadFrom from : {ReadFrom::file, ReadFrom::own_file})
    EXPECT_THAT([&] { (void)read_file(pipe, 10, from); }, ThrowsMessage<BadFile>(HasSubstr("pipe")));
  EXPECT_THROW((void)read_file("/dev/zero", 10), BadFile);
}

TEST(ReadFile, WhatAUserNamesMayBeAPipe) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { TemporaryFolder::write(pipe, "said"); });
  EXPECT_EQ(read_file(pipe, 10, ReadFrom::anything), "said");
  writer.join();
}

TEST(ReadFile, OurOwnFilesAreNoLinks) {
  const TemporaryFolder folder;
  TemporaryFolder::write(folder / "file", "content");
  std::filesystem::create_symlink("file", folder / "link");
  EXPECT_EQ(read_file(folder / "link", 10), "content");
  EXPECT_EQ(read_file(folder / "file", 10, ReadFrom::own_file), "content");
  EXPECT_THAT([&] { (void)read_file(folder / "link", 10, ReadFrom::own_file); },
              ThrowsMessage<BadFile>(HasSubstr("it is a link")));
}

}  // namespace
}  // namespace ringwave
