// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/tuner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>

#include "ringwave/core/error.hpp"

namespace ringwave::backend {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::int64_t kMostSamples = std::int64_t{1} << 25;  // 128 MiB in and as much out

double seconds_of(Trial& trial) {
  const auto start = SteadyClock::now();
  const Status status = trial.run();
  const std::chrono::duration<double> elapsed = SteadyClock::now() - start;
  if (status != Status::ok)
    throw DeviceLost("a measurement was answered with '" + std::string(to_string(status)) +
                     "'; run 'ringwave devices'");
  return elapsed.count();
}

std::unique_ptr<Trial> try_make(const OpInfo& op, Device device, int size, int batch) {
  try {
    return op.make_trial(device, size, batch);
  } catch (const DeviceUnavailable&) {
    return nullptr;
  } catch (const OutOfMemory&) {
    return nullptr;
  }
}

bool measurable(int size, int batch) {
  return std::int64_t{size} * batch <= kMostSamples;
}

void measure_point(RoutingTable& table, const OpInfo& op, std::span<const Device> devices, int size,
                   int batch) {
  std::vector<std::unique_ptr<Trial>> trials;
  std::vector<std::string> names;
  for (const Device device : devices)
    if (auto trial = try_make(op, device, size, batch)) {
      trials.push_back(std::move(trial));
      names.push_back(device.name());
    }
  const std::vector<double> seconds = measure(trials);
  for (std::size_t i = 0; i < names.size(); ++i)
    table.add(op.name, names[i], {.size = size, .batch = batch, .seconds = std::max(seconds[i], 1e-9)});
}

/// One line of a curve: the time on each device, in the order of the devices; 0 where there is none.
struct Line {
  int size;
  std::vector<double> seconds;

  [[nodiscard]] std::size_t fastest() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < seconds.size(); ++i)
      if (seconds[i] > 0 && (seconds[best] == 0 || seconds[i] < seconds[best])) best = i;
    return best;
  }
};

std::vector<Line> lines_of(const RoutingTable& table, const OpInfo& op, std::span<const Device> devices,
                           int batch) {
  std::vector<Line> lines;
  for (const int size : op.sizes) {
    if (!measurable(size, batch)) continue;
    Line& line = lines.emplace_back(Line{size, {}});
    for (const Device device : devices)
      line.seconds.push_back(table.estimate({op.name, size, batch}, device.name()).value_or(0));
  }
  return lines;
}

/// Where the curves of devices `a` and `b` cross between two lines, straight in the logarithms.
long crossing(const Line& left, const Line& right, std::size_t a, std::size_t b) {
  const double lead_left = std::log2(left.seconds[a] / left.seconds[b]);
  const double lead_right = std::log2(right.seconds[a] / right.seconds[b]);
  const double share = lead_left / (lead_left - lead_right);
  return std::lround(
      std::exp2(std::log2(left.size) + share * (std::log2(right.size) - std::log2(left.size))));
}

void explain_batch(std::span<const Line> lines, std::span<const Device> devices, int batch,
                   std::ostream& out) {
  char cell[64];
  out << "\nbatch " << batch << "\n      size";
  for (const Device device : devices) {
    std::snprintf(cell, sizeof cell, "%14s", (device.name() + " us").c_str());
    out << cell;
  }
  out << "  fastest\n";
  for (const Line& line : lines) {
    std::snprintf(cell, sizeof cell, "%10d", line.size);
    out << cell;
    for (const double seconds : line.seconds) {
      std::snprintf(cell, sizeof cell, seconds > 0 ? "%14.2f" : "             -", seconds * 1e6);
      out << cell;
    }
    out << "  " << devices[line.fastest()].name() << '\n';
  }
  if (lines.empty() || devices.size() < 2) return;
  out << "crossover: " << devices[lines.front().fastest()].name() << " first";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t before = lines[i - 1].fastest();
    const std::size_t after = lines[i].fastest();
    if (before != after)
      out << ", " << devices[after].name() << " from about "
          << crossing(lines[i - 1], lines[i], before, after) << " on";
  }
  out << '\n';
}

}  // namespace

std::vector<double> measure(std::span<const std::unique_ptr<Trial>> trials) {
  constexpr int kBursts = 5;
  constexpr int kWarmUps = 2;  // runs of a burst that do not count: the others have had the caches
  constexpr int kRuns = 9;
  constexpr std::chrono::milliseconds kPause{1};
  std::vector<std::vector<double>> samples(trials.size());
  for (int burst = 0; burst < kBursts; ++burst)
    for (std::size_t i = 0; i < trials.size(); ++i)
      for (int run = -kWarmUps; run < kRuns; ++run) {
        std::this_thread::sleep_for(kPause);
        const double seconds = seconds_of(*trials[i]);
        if (run >= 0) samples[i].push_back(seconds);
      }
  std::vector<double> medians;
  for (auto& times : samples) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    medians.push_back(*middle);
  }
  return medians;
}

RoutingTable tune(std::span<const OpInfo> ops, std::span<const Device> devices,
                  const TuneProgress& progress) {
  RoutingTable table(RoutingTable::this_machine());
  int total = 0;
  for (const OpInfo& op : ops) total += static_cast<int>(op.sizes.size() * op.batches.size());
  int done = 0;
  for (const OpInfo& op : ops)
    for (const int batch : op.batches)
      for (const int size : op.sizes) {
        if (measurable(size, batch)) measure_point(table, op, devices, size, batch);
        if (progress) progress(op.name, ++done, total);
      }
  return table;
}

void explain(const RoutingTable& table, const OpInfo& op, std::span<const Device> devices,
             std::ostream& out) {
  out << op.name << ": " << op.summary << "\nmeasured on " << table.machine_key()
      << "\nfrom host memory to host memory, median of runs with pauses between them\n";
  for (const int batch : op.batches) explain_batch(lines_of(table, op, devices, batch), devices, batch, out);
  if (devices.size() < 2) out << "\none device: nothing to choose\n";
}

}  // namespace ringwave::backend
