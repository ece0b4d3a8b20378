// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <ostream>
#include <thread>
#include <vector>

#include "bench/baseline.hpp"
#include "bench/measure.hpp"
#include "bench/report.hpp"
#include "bench/results_file.hpp"
#include "bench/slowdown.hpp"
#include "bench/table.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::bench {
namespace {

std::vector<Case> select(const Options& options) {
  std::vector<Device> devices;
  for (const Device device : Device::all())
    if (options.device.is_automatic() || device == options.device) devices.push_back(device);
  std::vector<Case> cases = list_cases(devices);
  std::erase_if(cases, [&](const Case& bench_case) {
    return bench_case.name.find(options.filter) == std::string::npos;
  });
  if (cases.empty())
    throw InvalidArgument("bench '" + options.filter + "' was asked for, but no case on " +
                          options.device.name() +
                          " has that in its name; 'ringwave bench --list' shows them");
  return cases;
}

/// What each device can move, measured the first time that somebody asks.
class Peaks {
 public:
  double of(Device device, Bound bound) {
    auto found = measured_.find(device.name());
    if (found == measured_.end()) found = measured_.emplace(device.name(), device.measure_bandwidth()).first;
    switch (bound) {
      case Bound::memory:
        return found->second.memory_gbs;
      case Bound::host_to_device:
        return found->second.host_to_device_gbs;
      case Bound::device_to_host:
        return found->second.device_to_host_gbs;
    }
    return 0;
  }

 private:
  std::map<std::string, Bandwidth> measured_;
};

std::optional<Baseline> load_baseline(const Options& options, const std::vector<Case>& cases) {
  if (!(options.threshold_percent >= 0 && options.threshold_percent <= 1000))
    throw InvalidArgument("a threshold of " + std::to_string(options.threshold_percent) +
                          " percent was asked for; use 0 to 1000");
  if (options.compare_path.empty()) return std::nullopt;
  Baseline baseline = Baseline::load(options.compare_path);
  if (std::none_of(cases.begin(), cases.end(),
                   [&](const Case& bench_case) { return baseline.has(bench_case.name); }))
    throw BadFile("'" + options.compare_path +
                  "' has none of the cases that would run; measure the same ones, or another device");
  return baseline;
}

/// Measures cases as the options and the environment ask for.
class Examiner {
 public:
  explicit Examiner(const Options& options)
      : quick_(options.quick), slowdown_(Slowdown::from_environment()) {}

  Result examine(const Case& bench_case) {
    Effort effort;
    if (quick_) {
      effort.budget /= 10;
      effort.least_samples_part = 0.1;
    }
    effort.slow_factor = slowdown_.factor_of(bench_case.name);
    try {
      Result result = measure(bench_case, effort);
      if (result.gbs > 0) result.peak_gbs = peaks_.of(bench_case.device, result.bound);
      return result;
    } catch (const Error& error) {
      // A device that fails or is full ends this case and not the others.
      Result failed;
      failed.name = bench_case.name;
      failed.device = bench_case.device.name();
      failed.check = {false, 0, error.what()};
      return failed;
    }
  }

 private:
  bool quick_;
  Slowdown slowdown_;
  Peaks peaks_;
};

/// Before a second look, for the neighbour to go away.
constexpr std::chrono::seconds kPause{1};

/// Measures what looks like a regression again, up to twice, and keeps the faster result: a neighbour on the
/// machine can slow one case down for a while, and is gone later; slower code stays slower.
void confirm(Examiner& examiner, const Baseline& baseline, double threshold_percent,
             const std::vector<Case>& cases, std::vector<Result>& results) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto suspect = [&](const Result& result) { return baseline.regressed(result, threshold_percent); };
    if (std::any_of(results.begin(), results.end(), suspect)) std::this_thread::sleep_for(kPause);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!results[i].check.ok || !suspect(results[i])) continue;
      Result again = examiner.examine(cases[i]);
      if (!again.check.ok || again.summary.median < results[i].summary.median) results[i] = std::move(again);
    }
  }
}

}  // namespace

int run(const Options& options, std::ostream& out) {
  const std::vector<Case> cases = select(options);
  if (options.list) {
    print_list(out, cases);
    return 0;
  }
  const std::optional<Baseline> baseline = load_baseline(options, cases);
  if (!options.json_path.empty()) require_writable(options.json_path);
  Examiner examiner(options);
  Report report(out, cases);
  report.print_head();
  std::vector<Result> results;
  for (const Case& bench_case : cases) {
    results.push_back(examiner.examine(bench_case));
    report.print(results.back());
  }
  if (baseline) confirm(examiner, *baseline, options.threshold_percent, cases, results);
  report.print_foot(results);
  if (!options.json_path.empty()) write_results(options.json_path, results);

  const bool wrong =
      std::any_of(results.begin(), results.end(), [](const Result& result) { return !result.check.ok; });
  const int regressions = baseline ? baseline->compare(results, options.threshold_percent, out) : 0;
  return wrong || regressions > 0 ? 1 : 0;
}

}  // namespace ringwave::bench
