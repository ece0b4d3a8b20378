// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
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

  static unsigned mode_of(const fs::path& path) {
    struct stat found {};
    EXPECT_EQ(stat(path.c_str(), &found), 0);
    return found.st_mode & 07777U;
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

TEST_F(AtomicFileTest, SaysWhyAWriteFailedThatWasLongAgo) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handled = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 1000, .rlim_max = before.rlim_max};
  std::string said;
  {
    AtomicFile file(path_);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    file.stream() << std::string(100'000, 'x');
    file.stream() << "more";
    try {
      file.commit();
    } catch (const BadFile& error) {
      said = error.what();
    }
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handled);
  EXPECT_THAT(said, testing::HasSubstr("File too large"));
  EXPECT_EQ(files(), 0);
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
  EXPECT_THAT([&] { AtomicFile file(path_); },
              testing::ThrowsMessage<BadFile>(testing::HasSubstr("directory")));
  EXPECT_TRUE(fs::is_directory(path_));
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, APipeOrADeviceIsNotReplaced) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  for (const auto kind : {AtomicFile::Kind::output, AtomicFile::Kind::state})
    EXPECT_THAT([&] { AtomicFile file(path_, kind); },
                testing::ThrowsMessage<BadFile>(testing::HasSubstr("pipe")));
  EXPECT_TRUE(fs::is_fifo(path_));
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, ItsNameUntilThenCannotBeGuessed) {
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i) {
    const AtomicFile file(path_);
    ASSERT_EQ(files(), 1);
    names.insert(fs::directory_iterator(folder_)->path().filename());
  }
  EXPECT_EQ(names.size(), 20U);
  EXPECT_THAT(names, testing::Each(testing::MatchesRegex("file\\.json\\.unfinished-[0-9a-f]{16}")));
}

TEST_F(AtomicFileTest, ALongNameFitsWithWhatIsAdded) {
  const fs::path path = folder_ / std::string(255, 'x');
  AtomicFile file(path);
  file.stream() << "new";
  file.commit();
  EXPECT_EQ(content(path), "new");
}

TEST_F(AtomicFileTest, KeepsTheModeOfWhatItReplaces) {
  for (const mode_t mode : {0600U, 0640U, 0666U, 0755U}) {
    std::ofstream(path_) << "old";
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
    AtomicFile file(path_);
    for (const auto& entry : fs::directory_iterator(folder_)) EXPECT_EQ(mode_of(entry.path()), mode);
    file.commit();
    EXPECT_EQ(mode_of(path_), mode);
  }
}

TEST_F(AtomicFileTest, ANewOneHasWhatTheUmaskLeavesAndStateIsForItsOwner) {
  const mode_t before = umask(0027);
  AtomicFile(path_).commit();
  EXPECT_EQ(mode_of(path_), 0640U);
  umask(before);
  AtomicFile state(path_, AtomicFile::Kind::state);
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_EQ(mode_of(entry.path()), entry.path() == path_ ? 0640U : 0600U);
  state.commit();
  EXPECT_EQ(mode_of(path_), 0600U);
}

TEST_F(AtomicFileTest, KeepsTheOwnerWhereThatIsPermitted) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  std::ofstream(path_) << "old";
  ASSERT_EQ(chown(path_.c_str(), 1234, 2345), 0);
  AtomicFile(path_).commit();
  struct stat found {};
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, 1234U);
  EXPECT_EQ(found.st_gid, 2345U);
}

TEST_F(AtomicFileTest, AnOutputGoesThroughItsLinkToTheFileBehind) {
  fs::create_directory(folder_ / "far");
  fs::create_symlink("far/second", folder_ / "first");
  fs::create_symlink("file.json", folder_ / "far/second");
  for (const std::string text : {"made", "made again"}) {  // the file behind may be missing
    AtomicFile file(folder_ / "first");
    file.stream() << text;
    file.commit();
    EXPECT_EQ(content(folder_ / "far/file.json"), text);
  }
  EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "far/second"));
}

TEST_F(AtomicFileTest, StateReplacesALinkAndNotWhatIsBehind) {
  std::ofstream(folder_ / "victim") << "old";
  fs::create_symlink("victim", path_);
  AtomicFile file(path_, AtomicFile::Kind::state);
  file.stream() << "new";
  file.commit();
  EXPECT_EQ(content(folder_ / "victim"), "old");
  EXPECT_FALSE(fs::is_symlink(path_));
  EXPECT_EQ(content(path_), "new");
}

TEST_F(AtomicFileTest, ALinkInACircleIsRefused) {
  fs::create_symlink("file.json", path_);
  EXPECT_THAT([&] { AtomicFile file(path_); }, testing::ThrowsMessage<BadFile>(testing::HasSubstr("circle")));
}

TEST_F(AtomicFileTest, ALinkOfAStrangerInASharedFolderIsNotFollowed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a stranger's link";
  std::ofstream(folder_ / "victim") << "old";
  fs::create_symlink("victim", path_);
  ASSERT_EQ(lchown(path_.c_str(), 1234, 1234), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 01777), 0);
  EXPECT_THAT([&] { AtomicFile file(path_); },
              testing::ThrowsMessage<BadFile>(testing::HasSubstr("another user")));
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  EXPECT_NO_THROW(AtomicFile{path_}) << "in a folder of our own it was meant";
}

}  // namespace
}  // namespace ringwave
