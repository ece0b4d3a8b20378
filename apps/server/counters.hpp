// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringwave/stream/histogram.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {

/// A number that one thread raises and any may read.
class Count {
 public:
  void add(std::uint64_t more = 1) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// What one shard has seen; only its thread writes.
struct Counters {
  static constexpr std::size_t kCodes = static_cast<std::size_t>(stream::RefusalCode::internal) + 1;

  Count requests;
  Count connections;  ///< that were made
  Count bytes_sent;
  Count frames_sent;        ///< packets of sound
  Count late_frames;        ///< that were sent later than kLateSeconds after they were due
  Count skipped_frames;     ///< by those who were too slow
  Count dropped_listeners;  ///< who took nothing, too little, or sent too much
  Count underruns;          ///< that listeners reported
  std::array<Count, kCodes> refusals;
  stream::Histogram lateness_seconds;      ///< from when a packet was due until it was given to the system
  stream::Histogram buffer_depth_seconds;  ///< as listeners report it
  stream::Histogram jitter_seconds;

  static constexpr double kLateSeconds = 0.05;

  void refuse(stream::RefusalCode code) noexcept { refusals[static_cast<std::size_t>(code)].add(); }
};

}  // namespace ringwave::server
