// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "ringwave/ring/board_reader.hpp"
#include "ringwave/ring/runtime.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::ring {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::SizeIs;

/// The boards of this test alone.
class BoardTest : public testing::Test {
 protected:
  BoardTest() {
    if (const char* now = std::getenv("XDG_RUNTIME_DIR")) before_ = now;
    setenv("XDG_RUNTIME_DIR", (place_ / "").c_str(), 1);
    Board::instance().set_public(true);
  }
  ~BoardTest() override {
    Board::instance().set_public(false);
    before_.empty() ? unsetenv("XDG_RUNTIME_DIR") : setenv("XDG_RUNTIME_DIR", before_.c_str(), 1);
  }

  [[nodiscard]] Boards boards() const { return read_boards(place_ / "ringwave"); }
  /// The kernels that other processes see of this one.
  [[nodiscard]] std::vector<Telemetry> shown() const {
    const auto pages = boards().pages;
    return pages.empty() ? std::vector<Telemetry>{} : pages[0].kernels;
  }
  /// Longer than any machine is held up.
  static void wait_until(const std::function<bool()>& is_so) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!is_so() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(is_so());
  }

  TemporaryFolder place_;
  std::string before_;
};

TEST_F(BoardTest, OthersSeeWhatItsKernelsDo) {
  auto runtime = std::make_unique<Runtime>(Runtime::Spec{.device = Device::cpu()});
  const Kernel echo = runtime->create({.name = "one", .handler = "echo"});
  echo.launch();
  echo.activate();
  Letter reply;
  ASSERT_EQ(echo.request(Outgoing::of(0, 42), reply, 20s), Delivery::ok);
  wait_until([&] { return !shown().empty() && shown()[0].counts.processed == 1; });
  const Boards boards = this->boards();
  ASSERT_THAT(boards.pages, SizeIs(1));
  EXPECT_EQ(boards.pages[0].process, getpid());
  EXPECT_EQ(boards.pages[0].program, "unit_tests");
  ASSERT_THAT(boards.pages[0].kernels, SizeIs(1));
  const Telemetry& seen = boards.pages[0].kernels[0];
  EXPECT_EQ(seen.kernel, "one");
  EXPECT_EQ(seen.handler, "echo");
  EXPECT_EQ(seen.device, "cpu");
  EXPECT_EQ(seen.state, State::active);
  EXPECT_GT(seen.uptime_s, 0);
  EXPECT_GT(seen.runtime, 0U);

  echo.pause(20s);
  wait_until([&] { return shown().at(0).state == State::paused; });
  echo.terminate(20s);
  wait_until([&] { return shown().empty(); });
  runtime.reset();
  EXPECT_THAT(this->boards().pages, IsEmpty());
}

TEST_F(BoardTest, ShowsTheRuntimesOfAProcessInOneFile) {
  const auto first = std::make_unique<Runtime>(Runtime::Spec{.device = Device::cpu()});
  auto second = std::make_unique<Runtime>(Runtime::Spec{.device = Device::cpu()});
  const KernelScope one(first->create({.handler = "echo"}));
  {
    const KernelScope other(second->create({.handler = "echo"}));
    wait_until([&] { return shown().size() == 2; });
    EXPECT_THAT(Board::instance().telemetry(), SizeIs(2));
    const auto both = shown();
    EXPECT_EQ(both[0].kernel, both[1].kernel);
    EXPECT_NE(both[0].runtime, both[1].runtime);
  }
  second.reset();
  EXPECT_THAT(Board::instance().telemetry(), SizeIs(1));
  wait_until([&] { return shown().size() == 1; });
}

TEST_F(BoardTest, IsPrivateUnlessItIsToldOtherwise) {
  Board::instance().set_public(false);
  Runtime runtime({.device = Device::cpu()});
  const KernelScope echo(runtime.create({.handler = "echo"}));
  wait_until([] { return Board::instance().telemetry().size() == 1; });
  EXPECT_THAT(boards().pages, IsEmpty());

  Board::instance().set_public(true);
  wait_until([&] { return shown().size() == 1; });
  Board::instance().set_public(false);
  wait_until([&] { return boards().pages.empty(); });
}

TEST_F(BoardTest, TheEnvironmentCountsMore) {
  setenv("RINGWAVE_RING_BOARD", "0", 1);
  Board::instance().set_public(true);
  unsetenv("RINGWAVE_RING_BOARD");
  Runtime runtime({.device = Device::cpu()});
  const KernelScope echo(runtime.create({.handler = "echo"}));
  wait_until([] { return Board::instance().telemetry().size() == 1; });
  EXPECT_THAT(boards().pages, IsEmpty());
}

TEST_F(BoardTest, AFolderThatWasRemovedIsMadeAgain) {
  Runtime runtime({.device = Device::cpu()});
  const KernelScope echo(runtime.create({.handler = "echo"}));
  wait_until([&] { return shown().size() == 1; });
  std::filesystem::remove_all(place_ / "ringwave");
  wait_until([&] { return shown().size() == 1; });
}

TEST_F(BoardTest, AFolderThatCannotBeUsedIsDoneWithout) {
  TemporaryFolder::write(place_ / "ringwave", "a file");
  Runtime runtime({.device = Device::cpu()});
  const KernelScope echo(runtime.create({.handler = "echo"}));
  wait_until([] { return Board::instance().telemetry().size() == 1; });
  Letter reply;
  EXPECT_EQ(echo->request(Outgoing::of(0, 42), reply, 20s), Delivery::ok);
}

TEST_F(BoardTest, AForkedChildHasItsOwn) {
  Runtime runtime({.device = Device::cpu()});
  const KernelScope echo(runtime.create({.handler = "echo"}));
  wait_until([&] { return shown().size() == 1; });
  const pid_t child = fork();
  if (child == 0) _exit(Board::instance().telemetry().empty() ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(shown(), SizeIs(1));
}

}  // namespace
}  // namespace ringwave::ring
