// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/station_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "tests/temporary_folder.hpp"

namespace ringwave::stream {
namespace {

using std::chrono::steady_clock;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class StationFileTest : public testing::Test {
 protected:
  static std::vector<StationRecord> one() { return {{.id = "kept", .seed = 7}}; }
  /// A folder that is missing fails every write, also those of root.
  void break_disk() { std::filesystem::remove_all(folder_ / "data"); }
  void mend_disk() { std::filesystem::create_directory(folder_ / "data"); }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "data/stations.json";
  std::vector<std::string> reported_;
  StationFile file_{path_, [this](const std::string& sentence) { reported_.push_back(sentence); }};
};

TEST_F(StationFileTest, IsDueWhereSomethingIsMarkedOrPlays) {
  mend_disk();
  const auto now = steady_clock::now();
  EXPECT_FALSE(file_.is_due(false, now));
  EXPECT_TRUE(file_.is_due(true, now));
  file_.mark();
  EXPECT_TRUE(file_.is_due(false, now));
  file_.save(one);
  EXPECT_FALSE(file_.is_due(false, now + std::chrono::hours(1))) << "all is saved";
  EXPECT_FALSE(file_.is_due(true, now)) << "there is a pause";
  EXPECT_TRUE(file_.is_due(true, now + std::chrono::hours(1)));
}

TEST_F(StationFileTest, WhatCouldNotBeSavedIsTriedAgainUntilItIs) {
  file_.mark();
  for (std::uint64_t failures = 1; failures < 7; ++failures) {
    file_.save(one);
    EXPECT_TRUE(file_.is_failing());
    EXPECT_EQ(file_.failures(), failures);
    const auto now = steady_clock::now();
    EXPECT_TRUE(file_.is_due(false, now + StationFile::kLongestPause)) << "it is still to be saved";
  }
  EXPECT_FALSE(file_.is_due(true, steady_clock::now())) << "there is a pause, also while something plays";
  mend_disk();
  file_.save(one);
  EXPECT_FALSE(file_.is_failing());
  EXPECT_EQ(load_stations(path_).size(), 1U);
  EXPECT_THAT(reported_,
              ElementsAre(AllOf(HasSubstr("could not be saved"), HasSubstr(path_)), HasSubstr("saved again")))
      << "each once";
}

TEST_F(StationFileTest, EveryKindOfFailureIsTriedAgain) {
  mend_disk();
  file_.save([]() -> std::vector<StationRecord> { throw std::bad_alloc(); });
  EXPECT_TRUE(file_.is_due(false, steady_clock::now() + StationFile::kLongestPause));
}

TEST_F(StationFileTest, WhatIsMarkedWhileOneSavesIsSavedLater) {
  mend_disk();
  file_.save([this] {
    file_.mark();
    return one();
  });
  EXPECT_TRUE(file_.is_due(false, steady_clock::now() + std::chrono::hours(1)));
}

TEST_F(StationFileTest, IsForItsOwnerAlone) {
  mend_disk();
  file_.save(one);
  struct stat found {};
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
}

TEST_F(StationFileTest, APipeOrALinkInItsPlaceIsPutAside) {
  mend_disk();
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_TRUE(file_.load().empty());
  EXPECT_TRUE(std::filesystem::is_fifo(path_ + ".bad"));
  TemporaryFolder::write(folder_ / "elsewhere", "not ours");
  std::filesystem::create_symlink(folder_ / "elsewhere", path_);
  EXPECT_TRUE(file_.load().empty());
  EXPECT_TRUE(std::filesystem::is_symlink(path_ + ".bad"));
  EXPECT_THAT(reported_, ElementsAre(HasSubstr("pipe"), HasSubstr("link")));
  std::filesystem::create_symlink(folder_ / "elsewhere", path_);
  file_.save(one);
  EXPECT_EQ(TemporaryFolder::content(folder_ / "elsewhere"), "not ours") << "no link is written through";
}

TEST(StationFile, WithoutAPathKeepsNothing) {
  StationFile file({}, {});
  file.mark();
  EXPECT_FALSE(file.is_due(true, steady_clock::now()));
  EXPECT_TRUE(file.load().empty());
  file.save([]() -> std::vector<StationRecord> { throw std::logic_error("nobody is to be asked"); });
}

}  // namespace
}  // namespace ringwave::stream
