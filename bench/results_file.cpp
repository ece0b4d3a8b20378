// SPDX-License-Identifier: Apache-2.0
#include "bench/results_file.hpp"

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::bench {
namespace {

using Json = nlohmann::ordered_json;  // people read these files: keys stay in the order below

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json machine_json() {
  const DeviceProfile& cpu = Device::cpu().profile();
  Json machine{{"cpu", cpu.name}, {"cores", cpu.cores}, {"instruction_set", cpu.instruction_set}};
  for (const Device device : Device::all()) {
    if (device.kind() == DeviceKind::cpu) continue;
    machine["gpu"] = device.profile().name;
    machine["gpu_architecture"] = device.profile().instruction_set;
    machine["driver"] = device.profile().driver;
    break;
  }
  return machine;
}

Json peers_json(const Result& result) {
  Json peers = Json::array();
  for (const PeerResult& peer : result.peers)
    peers.push_back({{"name", peer.name},
                     {"median_ns", peer.summary.median},
                     {"p99_ns", peer.summary.p99},
                     {"p999_ns", peer.summary.p999},
                     {"max_ns", peer.summary.max},
                     {"ratio", peer.ratio},
                     {"ok", peer.check.ok}});
  return peers;
}

Json case_json(const Result& result) {
  const Summary& s = result.summary;
  Json goals = Json::array();
  for (const Verdict& verdict : result.verdicts)
    goals.push_back({{"goal", verdict.goal}, {"met", verdict.met}});
  return {{"name", result.name},         {"device", result.device},
          {"median_ns", s.median},       {"p99_ns", s.p99},
          {"p999_ns", s.p999},           {"max_ns", s.max},
          {"mean_ns", s.mean},           {"ci_low_ns", s.ci_low},
          {"ci_high_ns", s.ci_high},     {"samples", s.samples},
          {"gbs", result.gbs},           {"gflops", result.gflops},
          {"peak_gbs", result.peak_gbs}, {"ok", result.check.ok},
          {"error", result.check.error}, {"output", result.check.note},
          {"peers", peers_json(result)}, {"goals", goals},
          {"notes", result.notes}};
}

}  // namespace

MachineName MachineName::of_this_machine() {
  MachineName name{Device::cpu().profile().name, {}};
  for (const Device device : Device::all())
    if (device.kind() != DeviceKind::cpu && name.gpu.empty()) name.gpu = device.profile().name;
  return name;
}

void require_writable(const std::string& path) {
  const AtomicFile probe(path);
}

void write_results(const std::string& path, std::span<const Result> results) {
  Json root{{"machine", machine_json()}, {"version", kVersion}, {"commit", kCommit},
            {"compiler", kCompiler},     {"flags", kFlags},     {"date", now_utc()},
            {"cases", Json::array()}};
  for (const Result& result : results)
    if (result.summary.samples > 0) root["cases"].push_back(case_json(result));
  AtomicFile file(path);
  file.stream() << root.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  file.commit();
}

}  // namespace ringwave::bench
