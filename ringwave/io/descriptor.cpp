// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/descriptor.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

constexpr int kPatienceMs = 50;  // how long a stop may go unseen

}  // namespace

void wait_for(int descriptor, short events, const std::string& name, const std::atomic<bool>* stop) {
  pollfd waited{.fd = descriptor, .events = events, .revents = 0};
  do {
    if (stop != nullptr && stop->load())
      throw Interrupted("stopped while " + name + " was " + (events == POLLIN ? "read" : "written"));
  } while (poll(&waited, 1, kPatienceMs) <= 0);
}

void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& name,
               const std::atomic<bool>* stop) {
  while (!bytes.empty()) {
    wait_for(descriptor, POLLOUT, name, stop);
    // A pipe that is ready takes PIPE_BUF bytes without a wait; more could wait where no stop is seen.
    const ssize_t count = ::write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
    if (count < 0 && errno != EINTR && errno != EAGAIN)
      throw BadFile(name + " cannot be written: " + std::generic_category().message(errno));
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

}  // namespace ringwave::io
