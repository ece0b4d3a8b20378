// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "apps/server/counters.hpp"
#include "apps/server/net.hpp"
#include "apps/server/tick_stamp.hpp"

namespace ringwave::server {

class Shard;

/// Something that lives on a shard, from its construction to its end: a connection of some kind. All of it is
/// called by the shard's thread; each call may end the member.
class Member {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Member(Shard& shard);
  virtual ~Member();
  Member(const Member&) = delete;  // the shard holds its address
  Member& operator=(const Member&) = delete;

  /// Once a second: is anything overdue? [server]
  virtual void on_second(Time now) = 0;
  /// Packets have come. [server]
  virtual void on_packets() {}
  /// The server will go after so many seconds. [server]
  virtual void on_drain(double /*seconds*/) {}
  /// The server goes now. [server]
  virtual void on_end() = 0;
  /// The shard goes: lets go of what would keep it alive. [setup]
  virtual void forget() {}

 protected:
  [[nodiscard]] Shard& shard() const noexcept { return shard_; }

 private:
  friend class Shard;
  Shard& shard_;
  std::size_t place_ = 0;
};

/// One thread of the network, and the connections that stay with it.
class Shard {
 public:
  Shard();
  /// Waits for its thread, and frees what it held. [setup]
  ~Shard();
  Shard(const Shard&) = delete;  // members and a thread hold its address
  Shard& operator=(const Shard&) = delete;

  /// Starts its thread. [setup]
  void start();
  /// Ends it, whatever is open. [any]
  void stop();
  void join();

  /// Packets have come: every member is told, once for all calls that meet before it has begun. [any]
  void wake();
  /// [any]
  void drain(double seconds);
  void end();

  [[nodiscard]] asio::io_context& context() noexcept { return context_; }
  /// When it last came round, which it does every second. [any]
  [[nodiscard]] const TickStamp& stamp() const noexcept { return stamp_; }
  /// Only its own thread writes. [any]
  [[nodiscard]] Counters& counters() noexcept { return counters_; }
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  friend class Member;
  Task<> tick();
  void for_each(const std::function<void(Member&)>& call);

  std::vector<Member*> members_;  // outlives the context, whose connections leave it
  Counters counters_;
  TickStamp stamp_;
  asio::io_context context_{1};
  asio::executor_work_guard<Executor> work_;
  asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                             Executor>
      second_;
  std::atomic<bool> is_woken_{false};
  std::thread thread_;
};

}  // namespace ringwave::server
