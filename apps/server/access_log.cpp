// SPDX-License-Identifier: Apache-2.0
#include "apps/server/access_log.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <system_error>
#include <utility>

#include "ringwave/core/thread_name.hpp"

namespace ringwave::server {
namespace {

constexpr int kGlanceMs = 100;

/// Who reads may go: that is an error of the write, and no end of the server.
void block_broken_pipes() {
  sigset_t signals{};
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  (void)pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

AccessLog::AccessLog(AccessLogFormat format, int descriptor, std::function<void(const std::string&)> report)
    : format_(format), descriptor_(descriptor), report_(std::move(report)) {
  if (!is_on()) return;
  waiting_.reserve(kMostBytes);
  thread_ = std::thread([this] { run(); });
}

AccessLog::~AccessLog() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    until_ = std::chrono::steady_clock::now() + kLastTime;
  }
  more_.notify_one();
  thread_.join();
}

void AccessLog::add(const AccessEntry& entry) {
  if (!is_on()) return;
  const std::string line = text_of(entry, format_) + "\n";
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() + line.size() > kMostBytes) {
      ++dropped_;
      return;
    }
    waiting_ += line;
  }
  more_.notify_one();
}

void AccessLog::run() {
  name_thread("access log");
  block_broken_pipes();
  std::string lines;
  lines.reserve(kMostBytes);
  while (true) {
    lines.clear();
    {
      std::unique_lock lock(mutex_);
      more_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      lines.swap(waiting_);
    }
    if (write(lines)) continue;
    const std::lock_guard lock(mutex_);
    waiting_.resize(kMostBytes);  // there is no room for any more
    return;
  }
}

/// In pieces that a pipe takes at once when it takes any, so that the end of the server is noticed in
/// between.
bool AccessLog::write(std::string_view lines) {
  while (!lines.empty()) {
    pollfd place{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    if (poll(&place, 1, kGlanceMs) <= 0) {
      if (!has_time()) break;
      continue;
    }
    const ssize_t written =
        ::write(descriptor_, lines.data(), std::min(lines.size(), static_cast<std::size_t>(PIPE_BUF)));
    if (written >= 0) {
      lines.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR && errno != EAGAIN) {
      report_("the access log ends here, because it cannot be written: " +
              std::generic_category().message(errno));
      break;
    }
  }
  dropped_ += static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
  return lines.empty();
}

bool AccessLog::has_time() const {
  const std::lock_guard lock(mutex_);
  return !is_over_ || std::chrono::steady_clock::now() < until_;
}

}  // namespace ringwave::server
