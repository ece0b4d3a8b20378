// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/tuner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>

#include "ringwave/core/error.hpp"

namespace ringwave::backend {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::int64_t kMostSamples = std::int64_t{1} << 24;  // 64 MiB in and as much out

double seconds_of(Trial& trial) {
  const auto start = SteadyClock::now();
  const Status status = trial.run();
  const std::chrono::duration<double> elapsed = SteadyClock::now() - start;
  if (status != Status::ok)
    throw DeviceLost("a measurement was answered with '" + std::string(to_string(status)) +
                     "'; run 'ringwave devices'");
  return elapsed.count();
}

/// A millisecond in which the GPU has nothing to do. It is spun away, so that the time in which a sleeping
/// core wakes up is not measured with the block.
void pause() {
  const auto until = SteadyClock::now() + std::chrono::milliseconds(1);
  while (SteadyClock::now() < until) {
  }
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

/// Median seconds of a few runs of a trial that is made for them; nothing where the device cannot.
std::optional<double> measure_burst(const OpInfo& op, Device device, int size, int batch) {
  constexpr int kWarmUps = 2;
  constexpr int kRuns = 15;
  const std::unique_ptr<Trial> trial = try_make(op, device, size, batch);
  if (trial == nullptr) return std::nullopt;
  for (int run = 0; run < kWarmUps; ++run) (void)seconds_of(*trial);
  std::array<double, kRuns> seconds{};
  for (double& sample : seconds) {
    pause();
    sample = seconds_of(*trial);
  }
  const auto middle = seconds.begin() + kRuns / 2;
  std::nth_element(seconds.begin(), middle, seconds.end());
  return std::max(*middle, 1e-9);
}

/// Whether the two fastest of these are within a third of each other; zeros do not count.
bool close(std::vector<double> seconds) {
  std::erase(seconds, 0);
  if (seconds.size() < 2) return false;
  std::nth_element(seconds.begin(), seconds.begin() + 1, seconds.end());
  return seconds[1] < 4.0 / 3 * seconds[0];
}

/// What is measured at once.
struct Point {
  const OpInfo* op;
  int size;
  int batch;
};

std::vector<Point> points_of(std::span<const OpInfo> ops) {
  std::vector<Point> points;
  for (const OpInfo& op : ops)
    for (const int batch : op.batches)
      for (const int size : op.sizes)
        if (measurable(size, batch)) points.push_back({&op, size, batch});
  return points;
}

/// A time for it on any of the devices; not each has every op.
bool has(const RoutingTable& table, std::span<const Device> devices, const Point& point) {
  return std::ranges::any_of(devices, [&](const Device& device) {
    return std::ranges::any_of(table.points(point.op->name, device.name()), [&](const auto& known) {
      return known.size == point.size && known.batch == point.batch;
    });
  });
}

/// As measure(); nothing once `is_over` says so, which may be empty.
std::optional<std::vector<double>> measure_until(std::span<const Device> devices, const Point& point,
                                                 const std::function<bool()>& is_over) {
  constexpr int kBursts = 7;
  constexpr int kMostBursts = 21;  // where two devices are so close that noise could decide
  std::vector<double> best(devices.size(), 0);
  for (int burst = 0; burst < kBursts || (burst < kMostBursts && close(best)); ++burst)
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (is_over && is_over()) return std::nullopt;
      if (const auto seconds = measure_burst(*point.op, devices[i], point.size, point.batch))
        best[i] = best[i] == 0 ? *seconds : std::min(best[i], *seconds);
    }
  return best;
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

std::vector<double> measure(const OpInfo& op, std::span<const Device> devices, int size, int batch) {
  return *measure_until(devices, {&op, size, batch}, {});
}

TuneCount tune(RoutingTable& table, std::span<const OpInfo> ops, std::span<const Device> devices,
               const TuneWatch& watch) {
  std::vector<Point> points = points_of(ops);
  std::stable_partition(points.begin(), points.end(),
                        [&](const Point& point) { return !has(table, devices, point); });
  TuneCount count{.done = 0, .total = static_cast<int>(points.size())};
  for (const Point& point : points) {
    const auto seconds = measure_until(devices, point, watch.is_over);
    if (!seconds) break;
    for (std::size_t i = 0; i < devices.size(); ++i)
      if ((*seconds)[i] > 0)
        table.add(point.op->name, devices[i].name(), {point.size, point.batch, (*seconds)[i]});
    ++count.done;
    if (watch.progress) watch.progress(point.op->name, count.done, count.total);
  }
  return count;
}

void explain(const RoutingTable& table, const OpInfo& op, std::span<const Device> devices,
             std::ostream& out) {
  out << op.name << ": " << op.summary << "\nmeasured on " << table.machine_key()
      << "\nfrom host memory to host memory, with pauses between the blocks\n";
  for (const int batch : op.batches) explain_batch(lines_of(table, op, devices, batch), devices, batch, out);
  if (devices.size() < 2) out << "\none device: nothing to choose\n";
}

}  // namespace ringwave::backend
