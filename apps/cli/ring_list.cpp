// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/ring_list.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "apps/cli/text_table.hpp"
#include "ringwave/core/version.hpp"
#include "ringwave/ring/board_folder.hpp"

namespace ringwave::cli {
namespace {

using Json = nlohmann::ordered_json;
using ring::BoardPage;
using ring::Boards;
using ring::Telemetry;

double age_seconds(const BoardPage& page) {
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return std::max(0.0, (static_cast<double>(now.count()) - static_cast<double>(page.written_ns)) * 1e-9);
}

Json to_json(const BoardPage& page, const Telemetry& kernel) {
  return {{"process", page.process},
          {"program", page.program},
          {"age_seconds", age_seconds(page)},
          {"runtime", kernel.runtime},
          {"kernel", kernel.kernel},
          {"handler", kernel.handler},
          {"device", kernel.device},
          {"state", to_string(kernel.state)},
          {"inbox", inbox_of(kernel)},
          {"inbox_by_band", kernel.depth},
          {"inbox_peak_by_band", kernel.peak},
          {"sent", kernel.sent},
          {"polls", kernel.counts.polls},
          {"processed", kernel.counts.processed},
          {"expired", kernel.counts.expired},
          {"duplicates", kernel.counts.duplicates},
          {"dropped",
           {{"full", kernel.rejected},
            {"newest", kernel.dropped_newest},
            {"oldest", kernel.dropped_oldest},
            {"kernel", kernel.counts.dropped},
            {"ended", kernel.dropped_at_end},
            {"undelivered", kernel.undelivered}}},
          {"errors", kernel.counts.errors},
          {"last_error", kernel.last_error},
          {"restarts", kernel.restarts},
          {"latency_ns",
           {{"min", kernel.latency.min_ns},
            {"p50", kernel.latency.p50_ns},
            {"p99", kernel.latency.p99_ns},
            {"max", kernel.latency.max_ns}}},
          {"busy_ratio", kernel.busy_ratio},
          {"uptime_seconds", kernel.uptime_s}};
}

void print_json(const Boards& boards) {
  Json kernels = Json::array();
  for (const BoardPage& page : boards.pages)
    for (const Telemetry& kernel : page.kernels) kernels.push_back(to_json(page, kernel));
  const Json root{{"version", kVersion}, {"kernels", kernels}, {"faults", boards.faults}};
  // A name may hold any bytes, and may have been cut inside a letter.
  std::cout << root.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_table(const Boards& boards) {
  constexpr auto kRight = TextTable::Side::right;
  TextTable table({{"process"},
                   {"kernel"},
                   {"handler"},
                   {"device"},
                   {"state"},
                   {"inbox", kRight},
                   {"processed", kRight},
                   {"errors", kRight}});
  bool any = false;
  for (const BoardPage& page : boards.pages)
    for (const Telemetry& kernel : page.kernels) {
      table.add({process_text(page), kernel.kernel, kernel.handler, kernel.device,
                 std::string(to_string(kernel.state)), std::to_string(inbox_of(kernel)),
                 std::to_string(kernel.counts.processed), std::to_string(kernel.counts.errors)});
      any = true;
    }
  if (!any) {
    std::printf("%s\n", kNoKernels);
    return;
  }
  for (const std::string& line : table.lines()) std::printf("%s\n", line.c_str());
  for (const std::string& remark : remarks_on(boards)) std::printf("%s\n", remark.c_str());
}

std::uint64_t sum_of(const std::array<std::uint64_t, ring::kBands>& bands) noexcept {
  return std::accumulate(bands.begin(), bands.end(), std::uint64_t{0});
}

}  // namespace

std::uint64_t inbox_of(const Telemetry& kernel) noexcept {
  return sum_of(kernel.depth);
}

std::uint64_t peak_of(const Telemetry& kernel) noexcept {
  return sum_of(kernel.peak);
}

std::uint64_t drops_of(const Telemetry& kernel) noexcept {
  return kernel.counts.expired + kernel.counts.dropped + kernel.rejected + kernel.dropped_newest +
         kernel.dropped_oldest + kernel.dropped_at_end + kernel.undelivered;
}

std::string process_text(const BoardPage& page) {
  return std::to_string(page.process) + " " + page.program;
}

std::vector<std::string> remarks_on(const Boards& boards) {
  constexpr double kSilentSeconds = 5;
  std::vector<std::string> remarks;
  for (const BoardPage& page : boards.pages) {
    const std::string who = "process " + std::to_string(page.process);
    if (page.left_out > 0)
      remarks.push_back(who + " has " + std::to_string(page.left_out) + " kernels more than are shown");
    if (const double age = age_seconds(page); age > kSilentSeconds && !page.kernels.empty())
      remarks.push_back(who + " has told nothing for " + std::to_string(static_cast<long long>(age)) +
                        " s; it is stopped, or very busy");
  }
  return remarks;
}

void report_faults(const Boards& boards) {
  for (const std::string& fault : boards.faults)
    std::fprintf(stderr, "ringwave: %s\n", harmless(fault).c_str());
}

void list_kernels(bool json) {
  const Boards boards = ring::read_boards(ring::BoardFolder::usual());
  report_faults(boards);
  json ? print_json(boards) : print_table(boards);
}

}  // namespace ringwave::cli
