// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ringwave::server {

/// Where the service manager that started the server, if one did, hears how it is: a datagram socket, by the
/// protocol of sd_notify(3).
class NotifySocket {
 public:
  /// A path, or a name of the abstract kind that begins with "@"; nobody hears what is sent where it is
  /// empty. Throws InvalidArgument for what is neither. [setup]
  explicit NotifySocket(std::string address);
  ~NotifySocket();
  NotifySocket(const NotifySocket&) = delete;  // it owns a descriptor
  NotifySocket& operator=(const NotifySocket&) = delete;

  /// "READY=1", "WATCHDOG=1", "STOPPING=1". Never waits; false where it did not get there. [any]
  bool send(std::string_view state) const noexcept;

 private:
  std::string address_;
  int socket_ = -1;
};

/// What $NOTIFY_SOCKET says; empty where nobody listens. [setup]
[[nodiscard]] std::string notify_address();
/// How often the service manager wants a sign of life at the latest, by $WATCHDOG_USEC; nothing where it
/// wants none of this process. [setup]
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_time();

}  // namespace ringwave::server
