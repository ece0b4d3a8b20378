// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/client/load_format.hpp"
#include "apps/client/nuisance_counts.hpp"
#include "apps/client/process_usage.hpp"
#include "apps/client/stream_counts.hpp"
#include "ringwave/stream/delay_histogram.hpp"
#include "ringwave/stream/frame_header.hpp"
#include "ringwave/stream/stream_url.hpp"

namespace ringwave::client {

/// What load is to do.
struct LoadSpec {
  stream::StreamUrl server;
  int listeners = 100;
  int stations = 1;                        ///< that are made, and removed afterwards,
  std::vector<std::string> station_ids{};  ///< unless these are there,
  std::string http_path = {};              ///< or this path, of any server, is what is listened to
  double seconds = 10;                     ///< that are measured, once all are there
  LoadFormat format = LoadFormat::socket;
  stream::FrameHeader::Codec codec = stream::FrameHeader::Codec::opus;
  int threads = 1;
  double connects_per_second = 200;
  int silent = 0;
  int garbage = 0;
  int reconnecting = 0;
  int churn = 0;
  std::optional<int> server_pid = {};
  const std::atomic<bool>* stop = nullptr;  ///< once it is set, the report is made of what is there
};

/// How far it is.
struct LoadProgress {
  bool measures = false;
  double seconds = 0;  ///< since it began to connect, or to measure
  StreamCounts counts;
};

/// What came of it.
struct LoadReport {
  int asked = 0;
  std::uint64_t refused = 0;
  double connect_seconds = 0;
  double seconds = 0;   ///< that were measured
  StreamCounts counts;  ///< from the first connection on
  std::uint64_t measured_frames = 0;
  std::uint64_t measured_bytes = 0;
  stream::DelayHistogram lateness;  ///< of the time that was measured
  double cpu_seconds = 0;           ///< of this process, in that time
  NuisanceCounts nuisance;
  std::string fault = {};  ///< why a listener was refused or ended

  struct Server {
    ProcessUsage before;  ///< the listeners came
    ProcessUsage begin;   ///< of the time that was measured
    ProcessUsage end;
  };
  std::optional<Server> server = {};

  /// Everyone is there who should be and hears, and has everything once. [any]
  [[nodiscard]] bool is_whole() const noexcept {
    return counts.hearing == static_cast<std::uint64_t>(asked) && counts.lost == 0 && counts.repeated == 0;
  }
};

/// Thousands of listeners of one server. Throws InvalidArgument for more connections than this process may
/// have, or where the server refuses to make stations; DeviceUnavailable where it is not reached, or lets
/// nobody in. [setup]
[[nodiscard]] LoadReport run_load(const LoadSpec& spec, const std::function<void(const LoadProgress&)>& show);

}  // namespace ringwave::client
