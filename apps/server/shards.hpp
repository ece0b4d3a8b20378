// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "apps/server/shard.hpp"

namespace ringwave::server {

/// All threads of the network.
class Shards {
 public:
  /// [setup]
  explicit Shards(int count);

  /// [setup]
  void start();
  /// Ends the threads; what they held stays as it is. [setup]
  void join();
  /// Frees all connections. wake() does nothing afterwards. [setup]
  void clear();

  /// The next one in turn that does not hang: connections are dealt out. One thread at a time. [server]
  [[nodiscard]] Shard& next() noexcept;
  /// As each Shard's. [any]
  void wake();
  void drain(double seconds);
  void end();

  [[nodiscard]] std::vector<const Counters*> counters() const;
  [[nodiscard]] std::vector<const TickStamp*> stamps() const;

 private:
  std::mutex mutex_;  // of wake() against clear()
  std::vector<std::unique_ptr<Shard>> shards_;
  std::size_t turn_ = 0;
};

}  // namespace ringwave::server
