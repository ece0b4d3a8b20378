// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/router.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "bench/keep.hpp"
#include "bench/table.hpp"
#include "ringwave/backend/registry.hpp"
#include "ringwave/backend/tuner.hpp"

namespace ringwave::bench {
namespace {

using backend::OpInfo;
using backend::Router;
using backend::RoutingTable;
using backend::Workload;

constexpr std::size_t kDecisions = 100;
constexpr double kMostExcess = 0.05;

RoutingTable measured(const OpInfo& op, std::span<const Device> devices) {
  RoutingTable table(RoutingTable::this_machine());
  backend::tune(table, {&op, 1}, devices, {});
  return table;
}

/// The router with a table that is measured here, and how far its choices are from what is fastest.
class Audit {
 public:
  Audit(const OpInfo& op, std::vector<Device> devices)
      : op_(op), devices_(std::move(devices)), table_(measured(op, devices_)), router_(table_) {
    for (const RoutingTable::Point& point : table_.points(op.name, devices_.front().name()))
      workloads_.push_back({op.name, point.size, point.batch});
  }

  void decide(std::size_t round) {
    for (std::size_t i = 0; i < kDecisions; ++i)
      keep(router_.decide(workloads_[(round + i) % workloads_.size()], devices_).device);
  }

  /// The worst size: how much slower the chosen device is than the better one.
  [[nodiscard]] Check check() {
    Check worst{true, 0, "always the better one"};
    for (const Workload& workload : workloads_) {
      const Device chosen = router_.decide(workload, devices_).device;
      const double excess = excess_of(chosen, workload);
      if (excess <= worst.error) continue;
      char text[160];
      std::snprintf(text, sizeof text, "worst: %s is %.1f %% slower than the better, at size %d, batch %d",
                    chosen.name().c_str(), excess * 100, workload.size, workload.batch);
      worst = {true, excess, text};
    }
    return worst;
  }

 private:
  /// How much slower `chosen` is than the better one. Two measurements, the tuner's and one of now, and the
  /// better of each device counts: noise only adds time.
  [[nodiscard]] double excess_of(Device chosen, const Workload& workload) const {
    const std::vector<double> now = backend::measure(op_, devices_, workload.size, workload.batch);
    double best = 0;
    double of_chosen = 0;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      const double tuned = table_.estimate(workload, devices_[i].name()).value_or(now[i]);
      const double seconds = std::min(now[i], tuned);
      if (best == 0 || seconds < best) best = seconds;
      if (devices_[i] == chosen) of_chosen = seconds;
    }
    return of_chosen / best - 1;
  }

  const OpInfo& op_;
  std::vector<Device> devices_;
  RoutingTable table_;
  Router router_;
  std::vector<Workload> workloads_;
};

Duel duel(const OpInfo& op) {
  Duel made;
  const auto all = Device::all();
  if (all.size() < 2) {
    made.skipped = "one device: nothing to choose";
    return made;
  }
  auto audit = std::make_shared<Audit>(op, std::vector<Device>(all.begin(), all.end()));
  made.ours = {"router", kDecisions, timed([audit](std::size_t round) { audit->decide(round); }),
               [audit] { return audit->check(); }};
  made.goal.at_most_error = kMostExcess;
  return made;
}

}  // namespace

std::vector<Case> router_cases(Devices devices) {
  std::vector<Case> cases;
  if (!has_cpu(devices)) return cases;
  for (const OpInfo& op : backend::Registry::instance().ops())
    cases.push_back({"router/" + op.name + "/cpu",
                     "one decision by a table measured in this run; its output: how far the chosen device is "
                     "from the better",
                     Device::cpu(), [&op] { return duel(op); }});
  return cases;
}

}  // namespace ringwave::bench
