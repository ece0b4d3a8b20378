// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "apps/server/access_entry.hpp"

namespace ringwave::server {

/// A line for each request, written by a thread of its own: who answers requests never waits for a disk, a
/// pipe or a terminal. Lines that come faster than they can be written are dropped, and counted.
class AccessLog {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;  ///< that wait
  static constexpr std::chrono::seconds kLastTime{1};              ///< for what waits at the end

  /// Writes to `descriptor`, which stays open as long as this is there; nothing at all where the format is
  /// off. `report` gets a sentence where nothing can be written any more. [setup]
  AccessLog(AccessLogFormat format, int descriptor, std::function<void(const std::string&)> report);
  /// Writes what waits, unless nobody takes it within kLastTime. [setup]
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;  // a thread holds its address
  AccessLog& operator=(const AccessLog&) = delete;

  [[nodiscard]] bool is_on() const noexcept { return format_ != AccessLogFormat::off; }
  /// [any]
  void add(const AccessEntry& entry);
  /// Lines that were not written. [any]
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  void run();
  bool write(std::string_view lines);
  [[nodiscard]] bool has_time() const;

  const AccessLogFormat format_;
  const int descriptor_;
  const std::function<void(const std::string&)> report_;
  mutable std::mutex mutex_;  // held to move bytes, never to write them
  std::condition_variable more_;
  std::string waiting_;
  bool is_over_ = false;
  std::chrono::steady_clock::time_point until_{};
  std::atomic<std::uint64_t> dropped_{0};
  std::thread thread_;
};

}  // namespace ringwave::server
