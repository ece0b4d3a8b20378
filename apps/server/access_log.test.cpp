// SPDX-License-Identifier: Apache-2.0
#include "apps/server/access_log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>

namespace ringwave::server {
namespace {

/// A pipe; what is read from it is gone.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~Pipe() {
    close_reading();
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int writing() const { return ends_[1]; }
  void close_reading() { close(ends_[0]); }
  void close_writing() { close(ends_[1]); }
  std::string read_all() {
    close_writing();
    std::string all;
    std::array<char, 4096> piece{};
    for (ssize_t bytes = 1; bytes > 0;) {
      bytes = ::read(ends_[0], piece.data(), piece.size());
      if (bytes > 0) all.append(piece.data(), static_cast<std::size_t>(bytes));
    }
    return all;
  }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(std::exchange(end, -1));
  }
  std::array<int, 2> ends_{-1, -1};
};

AccessEntry entry(int number) {
  return {.method = "GET",
          .target = std::string("/").append(std::to_string(number)),
          .protocol = "HTTP/1.1",
          .status = 200};
}

void expect_no_report(const std::string& sentence) {
  ADD_FAILURE() << sentence;
}

TEST(AccessLog, WritesEveryLineInTheOrderOfItsThread) {
  constexpr int kLines = 300;
  Pipe pipe;
  {
    AccessLog log(AccessLogFormat::common, pipe.writing(), expect_no_report);
    for (int i = 0; i < kLines; ++i) log.add(entry(i));
  }
  const std::string all = pipe.read_all();
  std::size_t found = 0;
  for (int i = 0; i < kLines; ++i) {
    const std::string request = entry(i).target + " HTTP/1.1\" 200 0\n";
    found = all.find(request, found);
    ASSERT_NE(found, std::string::npos) << i;
  }
}

TEST(AccessLog, WritesNothingWhereItIsOff) {
  Pipe pipe;
  { AccessLog(AccessLogFormat::off, pipe.writing(), expect_no_report).add(entry(1)); }
  EXPECT_EQ(pipe.read_all(), "");
}

TEST(AccessLog, WaitsForNobodyAndCountsWhatItDrops) {
  Pipe pipe;
  AccessLog log(AccessLogFormat::json, pipe.writing(), expect_no_report);
  constexpr int kLines = 20000;  // more than a pipe and the log hold, and nobody reads
  for (int i = 0; i < kLines; ++i) log.add(entry(i));
  EXPECT_GT(log.dropped(), 0U);
}

TEST(AccessLog, SaysThatItEndsWhereNobodyCanRead) {
  Pipe pipe;
  pipe.close_reading();
  std::string told;
  {
    AccessLog log(AccessLogFormat::common, pipe.writing(),
                  [&](const std::string& sentence) { told += sentence; });
    log.add(entry(1));
  }
  EXPECT_NE(told.find("access log ends"), std::string::npos);
}

}  // namespace
}  // namespace ringwave::server
