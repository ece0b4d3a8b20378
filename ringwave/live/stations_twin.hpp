// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <vector>

#include "ringwave/live/live_stations.hpp"
#include "ringwave/live/stations_handler.hpp"
#include "ringwave/live/stations_port.hpp"
#include "ringwave/ring/runtime.hpp"

namespace ringwave::live {

/// The renderer's twin whose blocks are messages. submit() waits for the answer; what is not answered in time
/// is as if it had not been submitted.
class StationsTwin final : public StationsPort {
 public:
  /// Throws InvalidArgument for what no message or kernel holds. [setup]
  static void require_fitting(const LiveStations::Spec& spec, const synth::RendererRequest& request);

  /// For what is fitting. Throws as LiveStations does. [setup]
  StationsTwin(Device device, const LiveStations::Spec& spec, const synth::RendererRequest& request);

  RW_REALTIME Status submit(const synth::RenderJob& job) noexcept override;
  [[nodiscard]] const void* output() const noexcept override { return reply_.payload().data(); }

  [[nodiscard]] const ring::Kernel* kernel() const noexcept override { return &kernel_; }

 private:
  struct Station {
    synth::StationRule::Constants constants{};
    bool playing = false;
  };

  void compose(const synth::RenderJob& job) noexcept;
  void append(const void* bytes, std::size_t size) noexcept;
  [[nodiscard]] ring::Delivery exchange(std::int64_t deadline_ns) noexcept;
  void remember(std::span<const synth::StationCommand> commands) noexcept;

  std::chrono::nanoseconds deadline_;
  synth::SpaceRule::Layout layout_;
  std::vector<Station> stations_;  // as the kernel has them, in case that it must have them again
  std::vector<std::byte> orders_;
  std::size_t order_bytes_ = 0;
  ring::Letter reply_;
  ring::Runtime runtime_;
  ring::Kernel kernel_;
  bool anew_ = false;
};

}  // namespace ringwave::live
