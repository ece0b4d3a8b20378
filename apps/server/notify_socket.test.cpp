// SPDX-License-Identifier: Apache-2.0
#include "apps/server/notify_socket.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "ringwave/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace ringwave::server {
namespace {

/// The other end: a service manager's socket.
class Manager {
 public:
  explicit Manager(const std::string& address) : socket_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::ranges::copy(address, at.sun_path);
    if (address.front() == '@') at.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size());
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&at), size), 0) << address;
  }
  ~Manager() { ::close(socket_); }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  std::string receive() const {
    std::array<char, 256> bytes{};
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    return count < 0 ? "nothing" : std::string(bytes.data(), static_cast<std::size_t>(count));
  }

 private:
  int socket_;
};

class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Environment() { ::unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

TEST(NotifySocket, ReachesAPathAndAnAbstractName) {
  const TemporaryFolder folder;
  for (const std::string& address : {folder / "notify", "@ringwave-test-" + std::to_string(::getpid())}) {
    const Manager manager(address);
    const NotifySocket socket(address);
    EXPECT_TRUE(socket.send("READY=1"));
    EXPECT_EQ(manager.receive(), "READY=1");
  }
}

TEST(NotifySocket, SaysNothingWhereNobodyListens) {
  EXPECT_TRUE(NotifySocket("").send("READY=1"));
}

TEST(NotifySocket, KnowsThatNobodyIsThere) {
  const TemporaryFolder folder;
  EXPECT_FALSE(NotifySocket(folder / "none").send("READY=1"));
}

TEST(NotifySocket, RefusesWhatIsNoAddress) {
  for (const std::string& address : {std::string("relative"), std::string("@"), "/" + std::string(200, 'x')})
    EXPECT_THROW(NotifySocket{address}, InvalidArgument) << address;
}

TEST(WatchdogTime, IsWhatTheManagerAsksOfThisProcess) {
  EXPECT_FALSE(watchdog_time());
  const Environment time("WATCHDOG_USEC", "30000000");
  EXPECT_EQ(watchdog_time(), std::chrono::seconds(30));
  {
    const Environment process("WATCHDOG_PID", std::to_string(::getpid()));
    EXPECT_EQ(watchdog_time(), std::chrono::seconds(30));
  }
  {
    const Environment process("WATCHDOG_PID", std::to_string(::getpid() + 1));
    EXPECT_FALSE(watchdog_time()) << "it is meant for another";
  }
  for (const char* wrong : {"", "0", "-1", "30s", "99999999999999999999"}) {
    const Environment odd("WATCHDOG_USEC", wrong);
    EXPECT_FALSE(watchdog_time()) << wrong;
  }
}

}  // namespace
}  // namespace ringwave::server
