// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace ringwave::client {

/// What many listeners saw together.
struct StreamCounts {
  std::uint64_t joined = 0;   ///< whom the server has let in
  std::uint64_t held = 0;     ///< of these, who are still there
  std::uint64_t hearing = 0;  ///< of these, who have got sound
  std::uint64_t frames = 0;
  std::uint64_t lost = 0;
  std::uint64_t repeated = 0;
  std::uint64_t bytes = 0;
  double jitter_sum_seconds = 0;
  double most_jitter_seconds = 0;
  double most_first_frame_seconds = 0;  ///< from the request to the first frame
  std::string fault = {};               ///< why one of them ended

  StreamCounts& operator+=(const StreamCounts& other) {
    joined += other.joined;
    held += other.held;
    hearing += other.hearing;
    frames += other.frames;
    lost += other.lost;
    repeated += other.repeated;
    bytes += other.bytes;
    jitter_sum_seconds += other.jitter_sum_seconds;
    most_jitter_seconds = std::max(most_jitter_seconds, other.most_jitter_seconds);
    most_first_frame_seconds = std::max(most_first_frame_seconds, other.most_first_frame_seconds);
    if (fault.empty()) fault = other.fault;
    return *this;
  }
};

}  // namespace ringwave::client
