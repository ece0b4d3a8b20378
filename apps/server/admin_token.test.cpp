// SPDX-License-Identifier: Apache-2.0
#include "apps/server/admin_token.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::server {
namespace {

namespace fs = std::filesystem;

TEST(AdminToken, IsMadeForItsOwnersEyesAndKnownAgain) {
  const TemporaryFolder folder;
  const std::string path = folder / "admin-token";
  const std::string made = admin_token_in(path);
  EXPECT_GE(made.size(), 26U);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(TemporaryFolder::content(path), made + "\n");
  EXPECT_EQ(admin_token_in(path), made);
  EXPECT_EQ(folder.files(), 1);
}

TEST(AdminToken, IsNotBelievedWhereOthersCouldHavePutIt) {
  const TemporaryFolder folder;
  const std::string path = folder / "admin-token";
  const auto refused = [&](const std::string& content, fs::perms mode) {
    TemporaryFolder::write(path, content);
    fs::permissions(path, mode);
    EXPECT_THROW((void)admin_token_in(path), BadFile) << content;
    fs::remove(path);
  };
  const fs::perms owners = fs::perms::owner_read | fs::perms::owner_write;
  refused("", owners);
  refused("too short\n", owners);
  refused("0123456789abcdef 0123456789abcdef", owners);
  refused("0123456789abcdef0123456789abcdef\n", owners | fs::perms::others_read);
  refused("0123456789abcdef0123456789abcdef\n", owners | fs::perms::group_read);

  TemporaryFolder::write(folder / "other", "0123456789abcdef0123456789abcdef\n");
  fs::permissions(folder / "other", owners);
  fs::create_symlink(folder / "other", path);
  EXPECT_THROW((void)admin_token_in(path), BadFile);
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW((void)admin_token_in(path), BadFile);
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_THROW((void)admin_token_in(path), BadFile);
}

TEST(AdminToken, IsNotMadeWhereNothingCanBeWritten) {
  EXPECT_THROW((void)admin_token_in("/proc/admin-token"), BadFile);
}

}  // namespace
}  // namespace ringwave::server
