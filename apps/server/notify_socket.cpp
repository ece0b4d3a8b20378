// SPDX-License-Identifier: Apache-2.0
#include "apps/server/notify_socket.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>

#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

std::optional<long long> number_of(std::string_view text) {
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

}  // namespace

NotifySocket::NotifySocket(std::string address) : address_(std::move(address)) {
  if (address_.empty()) return;
  const bool is_address = address_.front() == '/' || (address_.front() == '@' && address_.size() > 1);
  if (!is_address || address_.size() >= sizeof sockaddr_un::sun_path)
    throw InvalidArgument(
        "NOTIFY_SOCKET is '" + address_.substr(0, 128) +
        "', which is no address of a socket; it is a path, or a name after an @, of at most " +
        std::to_string(sizeof sockaddr_un::sun_path - 1) + " letters");
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

NotifySocket::~NotifySocket() {
  if (socket_ >= 0) ::close(socket_);
}

bool NotifySocket::send(std::string_view state) const noexcept {
  if (address_.empty()) return true;
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::ranges::copy(address_, to.sun_path);
  if (to.sun_path[0] == '@') to.sun_path[0] = '\0';
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  const ssize_t sent = ::sendto(socket_, state.data(), state.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&to), size);
  return sent == static_cast<ssize_t>(state.size());
}

std::string notify_address() {
  return std::string(variable("NOTIFY_SOCKET"));
}

std::optional<std::chrono::microseconds> watchdog_time() {
  const auto time = number_of(variable("WATCHDOG_USEC"));
  const std::string_view process = variable("WATCHDOG_PID");
  if (!time || *time <= 0 || (!process.empty() && number_of(process) != ::getpid())) return {};
  return std::chrono::microseconds(*time);
}

}  // namespace ringwave::server
