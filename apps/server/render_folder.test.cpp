// SPDX-License-Identifier: Apache-2.0
#include "apps/server/render_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::server {
namespace {

namespace fs = std::filesystem;

class RenderFolderTest : public testing::Test {
 protected:
  [[nodiscard]] std::string at(const std::string& name) const { return path_ / name; }

  TemporaryFolder folder_;
  fs::path path_ = fs::path(folder_ / "renders");
};

TEST_F(RenderFolderTest, IsForItsOwnerAlone) {
  const RenderFolder folder(path_);
  struct stat found {};
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0700U);
}

TEST_F(RenderFolderTest, RemovesWhatItListedWholeOrNotAndNothingElse) {
  RenderFolder(path_).list({"aaaa.wav", "bbbb.mp3", "gone.ogg"});
  for (const char* const made : {"aaaa.wav", "bbbb.mp3.unfinished-0123456789abcdef", ".list.unfinished-01"})
    TemporaryFolder::write(at(made), "ours");
  // The last has a name like ours, and is a stranger's all the same.
  for (const char* const foreign : {"thesis.wav", "notes.unfinished-1", "0123456789abcdefghjk.wav"})
    TemporaryFolder::write(at(foreign), "theirs");
  EXPECT_EQ(RenderFolder(path_).remove_the_left(), 3U);
  EXPECT_FALSE(fs::exists(at("aaaa.wav")));
  EXPECT_FALSE(fs::exists(at("bbbb.mp3.unfinished-0123456789abcdef")));
  EXPECT_FALSE(fs::exists(at(".list.unfinished-01")));
  for (const char* const foreign : {"thesis.wav", "notes.unfinished-1", "0123456789abcdefghjk.wav"})
    EXPECT_EQ(TemporaryFolder::content(at(foreign)), "theirs");
}

TEST_F(RenderFolderTest, WithoutAListOrWithADamagedOneRemovesNothing) {
  fs::create_directory(path_);
  TemporaryFolder::write(at("0123456789abcdefghjk.wav"), "theirs");
  EXPECT_EQ(RenderFolder(path_).remove_the_left(), 1U);
  ASSERT_EQ(mkfifo(at(".list").c_str(), 0600), 0);
  EXPECT_EQ(RenderFolder(path_).remove_the_left(), 1U);
  EXPECT_EQ(TemporaryFolder::content(at("0123456789abcdefghjk.wav")), "theirs");
}

TEST_F(RenderFolderTest, RemovesNeitherLinksNorFolders) {
  RenderFolder(path_).list({"link.wav", "folder.wav"});
  TemporaryFolder::write(folder_ / "victim", "theirs");
  fs::create_symlink(folder_ / "victim", at("link.wav"));
  fs::create_directory(at("folder.wav"));
  EXPECT_EQ(RenderFolder(path_).remove_the_left(), 2U);
  EXPECT_TRUE(fs::is_symlink(at("link.wav")));
  EXPECT_TRUE(fs::is_directory(at("folder.wav")));
  EXPECT_EQ(TemporaryFolder::content(folder_ / "victim"), "theirs");
}

TEST_F(RenderFolderTest, AListOfPathsLeadsNowhereElse) {
  fs::create_directory(path_);
  TemporaryFolder::write(folder_ / "victim", "theirs");
  TemporaryFolder::write(at(".list"), "../victim\n" + (folder_ / "victim") + "\n");
  EXPECT_EQ(RenderFolder(path_).remove_the_left(), 0U);
  EXPECT_EQ(TemporaryFolder::content(folder_ / "victim"), "theirs");
}

TEST_F(RenderFolderTest, ALinkInItsPlaceIsRefused) {
  fs::create_directory(folder_ / "elsewhere");
  fs::create_directory_symlink(folder_ / "elsewhere", path_);
  EXPECT_THAT([&] { RenderFolder{path_}; }, testing::ThrowsMessage<BadFile>(testing::HasSubstr("is a link")));
}

TEST_F(RenderFolderTest, AFolderThatWasExchangedForALinkIsNotFollowed) {
  const RenderFolder folder(path_);
  fs::rename(path_, folder_ / "moved");
  fs::create_directory(folder_ / "elsewhere");
  TemporaryFolder::write(folder_ / "elsewhere/aaaa.wav", "theirs");
  fs::create_directory_symlink(folder_ / "elsewhere", path_);
  folder.remove("aaaa.wav");
  EXPECT_EQ(TemporaryFolder::content(folder_ / "elsewhere/aaaa.wav"), "theirs");
}

}  // namespace
}  // namespace ringwave::server
