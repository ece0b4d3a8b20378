// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "apps/client/load_listener.hpp"
#include "apps/client/stream_counts.hpp"

namespace ringwave::client {

/// A thread that reads for many listeners: one epoll, one buffer, one system call for what a listener has,
/// and a look at all of them not more often than every millisecond. So thousands cost a fraction of a core,
/// and a time of arrival is up to that millisecond late.
class ListenerPump {
 public:
  /// Throws Error where the system gives no epoll. [setup]
  ListenerPump();
  ~ListenerPump();
  ListenerPump(const ListenerPump&) = delete;  // its thread holds its address
  ListenerPump& operator=(const ListenerPump&) = delete;

  /// Another listener, who asked at a time and got these bytes with the answer. [any]
  void add(SocketHandle socket, std::vector<std::byte> first, LoadFormat format, LoadListener::Time asked_at);

  /// Lateness is counted from here on. [any]
  void begin_measuring() noexcept { begins_measuring_ = true; }

  /// As of a tenth of a second ago at most. [any]
  [[nodiscard]] StreamCounts counts() const;

  /// Ends the thread and gives all that was seen; closes the connections. Once. [setup]
  [[nodiscard]] StreamCounts finish();
  /// After finish(). [setup]
  [[nodiscard]] const stream::DelayHistogram& lateness() const noexcept { return lateness_; }

 private:
  struct Newcomer {
    SocketHandle socket;
    std::vector<std::byte> first;
    LoadFormat format;
    LoadListener::Time asked_at;
  };

  void run();
  void take_in();
  void read(std::size_t index);
  void drop(std::size_t index, const std::string& fault);
  void sweep(LoadListener::Time now);
  void count();

  SocketHandle epoll_;
  std::atomic<bool> stops_{false};
  std::atomic<bool> begins_measuring_{false};
  std::atomic<bool> has_newcomers_{false};

  mutable std::mutex mutex_;
  std::vector<Newcomer> newcomers_;  // under the mutex
  StreamCounts shown_;               // under the mutex

  std::vector<std::unique_ptr<LoadListener>> listeners_;  // the thread's, with all below
  std::vector<bool> is_over_;
  std::vector<std::byte> buffer_;
  stream::DelayHistogram lateness_;
  StreamCounts counts_;
  std::size_t turn_ = 0;  // of the reports

  std::thread thread_;
};

}  // namespace ringwave::client
