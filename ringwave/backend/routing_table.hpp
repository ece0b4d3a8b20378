// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"

namespace ringwave::backend {

/// What `ringwave tune` measured: the time of each op, at each size and batch, on each device of one machine.
class RoutingTable {
 public:
  struct Point {
    int size = 0;
    int batch = 0;
    double seconds = 0;
  };

  /// An empty table for the machine that `machine_key` names. [setup]
  explicit RoutingTable(std::string machine_key) : machine_key_(std::move(machine_key)) {}

  /// Reads what to_json() wrote. Throws BadFile, with the reason, for text that is torn, has a value out of
  /// range or is of another version of Ringwave. Safe for any text. [setup]
  [[nodiscard]] static RoutingTable from_json(std::string_view text);

  /// The table as JSON. [setup]
  [[nodiscard]] std::string to_json() const;

  /// Reads a file; nothing where there is none. Throws BadFile as from_json() does, and for a table of
  /// another machine or driver than `machine_key`. [setup]
  [[nodiscard]] static std::optional<RoutingTable> load(const std::string& path,
                                                        std::string_view machine_key);

  /// Writes the file, which appears only when it is whole, and its folder if need be. Throws BadFile. [setup]
  void save(const std::string& path) const;

  /// Keeps a measurement; replaces an earlier one at the same place. Throws InvalidArgument for a time that
  /// is not positive and finite. [setup]
  void add(const std::string& op, const std::string& device, Point point);

  /// The measured points of an op on a device, by batch, then size; empty where there are none. [any]
  [[nodiscard]] std::vector<Point> points(const std::string& op, const std::string& device) const;

  /// Seconds that `workload` takes on `device`: between measured points along straight lines in the
  /// logarithms of size, batch and time, outside them with the slope of the nearest pair. Nothing where the
  /// op was not measured there. [any]
  [[nodiscard]] std::optional<double> estimate(const Workload& workload, const std::string& device) const;

  [[nodiscard]] const std::string& machine_key() const noexcept { return machine_key_; }

  /// What a table holds for: processor, GPUs, driver. [setup]
  [[nodiscard]] static std::string this_machine();

  /// Where the table of this machine is kept: in XDG_CACHE_HOME, else ~/.cache. [setup]
  [[nodiscard]] static std::string default_path();

 private:
  using Curve = std::map<int, double>;   // size to seconds
  using Surface = std::map<int, Curve>;  // batch to curve
  using Devices = std::map<std::string, Surface>;

  std::string machine_key_;
  std::map<std::string, Devices> ops_;
};

}  // namespace ringwave::backend
