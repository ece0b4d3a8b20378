// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "apps/server/handover.hpp"
#include "apps/server/shard.hpp"
#include "ringwave/stream/packet.hpp"
#include "ringwave/stream/token_bucket.hpp"

namespace ringwave::server {

/// What all who listen have in common. When packets have come, the shard lets each of its listeners send them
/// at once; nobody has a timer, and most of the time nobody has anything to wait for. A coroutine does the
/// rest: what the system did not take, and what is no sound; else it sleeps. Who lets a write wait too long,
/// or falls behind too often, is dropped.
class Listening : public Member {
 public:
  static constexpr std::chrono::seconds kWriteTime{10};
  static constexpr double kLagsAMinute = 6;  ///< that are forgiven

  Listening(Shard& shard, Services& services, Audience audience, ConnectionSlot slot);
  ~Listening() override;

  void on_packets() override;
  void on_second(Time now) override;
  void forget() override;

 protected:
  /// Sends packets until there are no more, or the system takes no more; false where the connection is
  /// broken. [server]
  virtual bool send_packets() = 0;
  /// False while something else is being written. [server]
  [[nodiscard]] virtual bool can_send() const { return true; }
  /// There is something for the coroutine, which it will have done before it waits again. [server]
  [[nodiscard]] virtual bool has_more() const = 0;
  /// Cuts the connection; whatever waits for it ends. [server]
  virtual void cut() = 0;

  /// Sleeps until there is something for the coroutine, which has taken all packets and news that there were:
  /// it goes round by what it has done or by what has come, and never by what it might find. [server]
  Task<> wait();
  /// Goes on, though not before the caller has returned. [server]
  void wake();

  /// The next packets, counted. [server]
  std::size_t take(std::span<stream::PacketPtr> packets);
  /// Around each write. [server]
  void begin_write() { write_began_ = std::chrono::steady_clock::now(); }
  void end_write() { write_began_.reset(); }
  /// Cuts it, and counts it among those that were. [server]
  void drop(const std::string& why);

  [[nodiscard]] Services& services() const noexcept { return services_; }
  [[nodiscard]] stream::Listener& listener() const noexcept { return *audience_.listener; }
  [[nodiscard]] const std::string& station() const noexcept { return audience_.station; }
  [[nodiscard]] io::StreamFormat format() const noexcept { return audience_.format; }
  [[nodiscard]] std::uint64_t late_frames() const noexcept { return late_frames_; }

 private:
  using Sleeper = asio::any_completion_handler<void()>;
  [[nodiscard]] Sleeper woken();

  Services& services_;
  Audience audience_;
  ConnectionSlot slot_;
  Sleeper sleeper_;
  Time came_ = std::chrono::steady_clock::now();
  std::optional<Time> write_began_;
  stream::TokenBucket lags_;
  std::uint64_t skipped_ = 0;
  std::uint64_t late_frames_ = 0;
};

/// Buffers of the system that hold about a second, so that who takes nothing is noticed; every packet goes at
/// once. [server]
void prepare_socket(Socket& socket, io::StreamFormat format);

}  // namespace ringwave::server
