// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "apps/server/access.hpp"
#include "apps/server/access_log.hpp"
#include "apps/server/address_limits.hpp"
#include "apps/server/address_quota.hpp"
#include "apps/server/config.hpp"
#include "apps/server/counters.hpp"
#include "apps/server/descriptors.hpp"
#include "apps/server/log.hpp"
#include "apps/server/page_files.hpp"
#include "apps/server/preset_shelf.hpp"
#include "apps/server/render_desk.hpp"
#include "apps/server/station_changes.hpp"
#include "apps/server/watch.hpp"
#include "ringwave/stream/studio.hpp"

namespace ringwave::server {

/// What the endpoints work with.
struct Services {
  const ServerConfig& config;
  const Log& log;
  AccessLog& access_log;
  stream::Studio& studio;
  PresetShelf& presets;
  StationChanges& changes;
  RenderDesk& renders;
  const PageFiles& page;
  const Access& access;
  AddressLimits& addresses;
  AddressQuota& playing;                         ///< stations that play, by who woke them
  AddressQuota& rendering;                       ///< files that are not done, by who ordered them
  const std::vector<const Counters*>& counters;  ///< of each shard
  const std::atomic<int>& connections;
  const std::atomic<bool>& draining;
  const Watch& watch;
  Descriptors& descriptors;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  /// Of all shards, what a member counts. [any]
  [[nodiscard]] std::uint64_t total(Count Counters::*member) const noexcept {
    std::uint64_t sum = 0;
    for (const Counters* shard : counters) sum += (shard->*member).value();
    return sum;
  }
  [[nodiscard]] double uptime_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
};

}  // namespace ringwave::server
