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

/// Compares what the router chooses with what is fastest now.
class Audit {
 public:
  Audit(const OpInfo& op, const RoutingTable& table, std::vector<Device> devices)
      : op_(op), router_(table), devices_(std::move(devices)) {
    for (const RoutingTable::Point& point : table.points(op.name, devices_.front().name()))
      workloads_.push_back({op.name, point.size, point.batch});
  }

  [[nodiscard]] bool empty() const { return workloads_.empty(); }

  void decide(std::size_t round) {
    for (std::size_t i = 0; i < kDecisions; ++i)
      keep(router_.decide(workloads_[(round + i) % workloads_.size()], devices_).device);
  }

  /// The worst size: how much slower the chosen device is than the better one.
  [[nodiscard]] Check check() {
    Check worst{true, 0, "always the better one"};
    for (const Workload& workload : workloads_) {
      const std::vector<double> seconds = backend::measure(op_, devices_, workload.size, workload.batch);
      const Device chosen = router_.decide(workload, devices_).device;
      const auto at = std::find(devices_.begin(), devices_.end(), chosen) - devices_.begin();
      const double best = *std::min_element(seconds.begin(), seconds.end());
      const double excess = seconds[static_cast<std::size_t>(at)] / best - 1;
      if (excess <= worst.error) continue;
      char text[160];
      std::snprintf(text, sizeof text, "worst: %s takes %.3g us, the better %.3g, at size %d, batch %d",
                    chosen.name().c_str(), seconds[static_cast<std::size_t>(at)] * 1e6, best * 1e6,
                    workload.size, workload.batch);
      worst = {true, excess, text};
    }
    return worst;
  }

 private:
  const OpInfo& op_;
  Router router_;
  std::vector<Device> devices_;
  std::vector<Workload> workloads_;
};

Duel duel(const OpInfo& op) {
  Duel made;
  const Router& router = Router::instance();
  if (Device::all().size() < 2) {
    made.skipped = "one device: nothing to choose";
  } else if (!router.table()) {
    made.skipped = router.hint().empty() ? "no routing table: run 'ringwave tune'" : router.hint();
  } else {
    const auto all = Device::all();
    auto audit = std::make_shared<Audit>(op, *router.table(), std::vector<Device>(all.begin(), all.end()));
    if (audit->empty()) made.skipped = "the routing table does not have this op: run 'ringwave tune'";
    made.ours = {"router", kDecisions, timed([audit](std::size_t round) { audit->decide(round); }),
                 [audit] { return audit->check(); }};
    made.goal.at_most_error = kMostExcess;
  }
  return made;
}

}  // namespace

std::vector<Case> router_cases(Devices devices) {
  std::vector<Case> cases;
  if (!has_cpu(devices)) return cases;
  for (const OpInfo& op : backend::Registry::instance().ops())
    cases.push_back(
        {"router/" + op.name + "/cpu",
         "one decision; its output: how far the chosen device is from the better one, measured now",
         Device::cpu(), [&op] { return duel(op); }});
  return cases;
}

}  // namespace ringwave::bench
