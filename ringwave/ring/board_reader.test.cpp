// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/board_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/board_folder.hpp"
#include "ringwave/ring/process_start.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::ring {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A process that has ended, and of which nobody has been told yet.
class Ended {
 public:
  Ended() : process_(fork()) {
    if (process_ == 0) _exit(0);
    siginfo_t told{};
    waitid(P_PID, static_cast<id_t>(process_), &told, WEXITED | WNOWAIT);
  }
  ~Ended() { waitpid(process_, nullptr, 0); }
  Ended(const Ended&) = delete;  // it is waited for once
  Ended& operator=(const Ended&) = delete;

  [[nodiscard]] pid_t process() const { return process_; }

 private:
  pid_t process_;
};

class BoardReader : public testing::Test {
 protected:
  void write(std::int64_t process, std::uint64_t started) const {
    const std::string name = std::to_string(process);
    folder_.write(name,
                  write_board_page({.process = process, .started = started, .kernels = {{.kernel = "k"}}}));
  }

  TemporaryFolder place_;
  const std::string path_ = place_ / "board";
  const BoardFolder folder_ = BoardFolder::make(path_);
  const std::string own_ = std::to_string(getpid());
  const std::uint64_t started_ = process_start(getpid()).value_or(0);
};

TEST_F(BoardReader, FindsTheRunningOnes) {
  write(getpid(), started_);
  const Boards boards = read_boards(path_);
  ASSERT_THAT(boards.pages, SizeIs(1));
  EXPECT_EQ(boards.pages[0].process, getpid());
  EXPECT_EQ(boards.pages[0].kernels.at(0).kernel, "k");
  EXPECT_THAT(boards.faults, IsEmpty());
}

TEST_F(BoardReader, AFolderThatIsNotThereHasNone) {
  const Boards boards = read_boards(place_ / "absent");
  EXPECT_THAT(boards.pages, IsEmpty());
  EXPECT_THAT(boards.faults, IsEmpty());
}

TEST_F(BoardReader, RemovesWhatEndedProcessesLeft) {
  const Ended ended;
  write(ended.process(), 1);
  folder_.write(std::to_string(ended.process()) + ".unfinished", "half");
  folder_.write("999999999", "torn");
  write(getpid(), started_ + 1);  // of one that had this id before
  const Boards boards = read_boards(path_);
  EXPECT_THAT(boards.pages, IsEmpty());
  EXPECT_THAT(boards.faults, IsEmpty());
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(BoardReader, PassesOverWhatIsDamaged) {
  folder_.write("notes", "nobody's");
  folder_.write(own_, "torn");
  folder_.write(own_ + ".unfinished", "half");  // another write() would take this one's name
  const Boards torn = read_boards(path_);
  EXPECT_THAT(torn.pages, IsEmpty());
  EXPECT_THAT(torn.faults, ElementsAre(HasSubstr("/" + own_ + " is no board")));
  EXPECT_THAT(folder_.names(), SizeIs(3));
  folder_.write(own_, write_board_page({.process = 2}));
  const Boards another = read_boards(path_);
  EXPECT_THAT(another.pages, IsEmpty());
  EXPECT_THAT(another.faults, ElementsAre(HasSubstr("/" + own_ + " is of process 2")));
}

TEST_F(BoardReader, RefusesAFolderThatOthersMayEnter) {
  ASSERT_EQ(chmod(path_.c_str(), 0755), 0);
  EXPECT_THROW((void)read_boards(path_), BadFile);
}

TEST(ProcessStart, IsOfThoseThatRun) {
  EXPECT_TRUE(process_start(getpid()).has_value());
  EXPECT_EQ(process_start(getpid()), process_start(getpid()));
  EXPECT_FALSE(process_start(999999999).has_value());
  EXPECT_FALSE(process_start(Ended().process()).has_value());
}

}  // namespace
}  // namespace ringwave::ring
