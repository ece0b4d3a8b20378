// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() { fs::create_directories(folder_); }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] auto files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("ringwave-atomic-file-" + std::to_string(getpid()));
  std::string path_ = folder_ / "file.json";
};

TEST_F(AtomicFileTest, AppearsOnlyWhenItIsWhole) {
  AtomicFile file(path_);
  file.stream() << "half";
  file.stream().flush();
  EXPECT_FALSE(fs::exists(path_));
  file.stream() << " and half";
  file.commit();
  EXPECT_EQ(content(path_), "half and half");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, ReplacesTheOldFileAtCommitAndNotBefore) {
  std::ofstream(path_) << "old";
  AtomicFile file(path_);
  file.stream() << "new" << std::flush;
  EXPECT_EQ(content(path_), "old");
  file.commit();
  EXPECT_EQ(content(path_), "new");
}

TEST_F(AtomicFileTest, AbandonedItLeavesTheOldFileAndNothingElse) {
  std::ofstream(path_) << "old";
  {
    AtomicFile file(path_);
    file.stream() << "new";
  }
  EXPECT_EQ(content(path_), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, AWriteThatFailedKeepsTheOldFile) {
  std::ofstream(path_) << "old";
  {
    AtomicFile file(path_);
    file.stream() << "new";
    file.stream().setstate(std::ios::badbit);  // what a full disk does
    EXPECT_THROW(file.commit(), BadFile);
  }
  EXPECT_EQ(content(path_), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, TwoWritersOfOneFileDoNotMix) {
  {
    AtomicFile first(path_);
    AtomicFile second(path_);
    first.stream() << "first, and longer";
    second.stream() << "second";
    first.commit();
    EXPECT_EQ(content(path_), "first, and longer");
    second.commit();
  }
  EXPECT_EQ(content(path_), "second");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, AFolderThatCannotBeWrittenIsNamed) {
  const std::string path = folder_ / "absent" / "file.json";
  EXPECT_THAT([&] { AtomicFile file(path); },
              testing::ThrowsMessage<BadFile>(
                  testing::AllOf(testing::HasSubstr(path), testing::HasSubstr("No such file or directory"))));
  EXPECT_THROW(AtomicFile("/proc/ringwave.json"), BadFile);
}

TEST_F(AtomicFileTest, AFolderOfThatNameIsNotReplaced) {
  fs::create_directory(path_);
  {
    AtomicFile file(path_);
    EXPECT_THROW(file.commit(), BadFile);
  }
  EXPECT_TRUE(fs::is_directory(path_));
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace ringwave
