// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "ringwave/backend/registry.hpp"
#include "ringwave/backend/routing_table.hpp"
#include "ringwave/core/device.hpp"

namespace ringwave::backend {

/// Seconds of one block of the op on each device, from host memory to host memory; 0 where a device has no
/// twin or no room. The devices take turns in bursts, each with an op and memory of its own, and the best
/// burst's median counts: where memory happens to lie, and what else the machine does, can make the same
/// block several times as slow. A pause of a millisecond before each block is what a real-time caller leaves:
/// a GPU that has gone to sleep takes longer. Throws DeviceLost where a block is not answered with `ok`.
/// [setup]
[[nodiscard]] std::vector<double> measure(const OpInfo& op, std::span<const Device> devices, int size,
                                          int batch);

/// Who watches a tuning.
struct TuneWatch {
  /// Told when a point is done: the op, and how many of all points are.
  std::function<void(const std::string& op, int done, int total)> progress{};
  /// Asked every few milliseconds to seconds; true ends the tuning, and only the point under way is lost.
  std::function<bool()> is_over{};
};

/// Points of a tuning: that were measured, and that there are.
struct TuneCount {
  int done = 0;
  int total = 0;
};

/// Measures every op in `ops` at each of its sizes and batches on each of `devices`, from host memory to host
/// memory, into `table`. What the table has no time for comes first, so that a tuning which was ended goes on
/// where it was. A device that has no twin, or no room, is left out at that point. Throws DeviceLost; what
/// was measured until then is in the table. [setup]
TuneCount tune(RoutingTable& table, std::span<const OpInfo> ops, std::span<const Device> devices,
               const TuneWatch& watch);

/// Writes the measured curves of an op and, for each batch, from which size on another device is faster.
/// [setup]
void explain(const RoutingTable& table, const OpInfo& op, std::span<const Device> devices, std::ostream& out);

}  // namespace ringwave::backend
