// SPDX-License-Identifier: Apache-2.0
#include "apps/client/process_usage.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::client {

ProcessUsage ProcessUsage::of(int pid) {
  const std::string name = pid == 0 ? "self" : std::to_string(pid);
  std::ifstream file("/proc/" + name + "/stat");
  std::string stat;
  std::getline(file, stat);
  if (stat.empty()) throw InvalidArgument("there is no process " + name + "; --pid wants that of the server");
  return from_stat(stat);
}

/// proc(5): after the name in brackets, which may hold anything, come the numbers from the third on.
ProcessUsage ProcessUsage::from_stat(std::string_view stat) {
  constexpr int kUserTicks = 14;
  constexpr int kSystemTicks = 15;
  constexpr int kThreads = 20;
  constexpr int kResidentPages = 24;
  const std::size_t end_of_name = stat.rfind(')');
  if (end_of_name == std::string_view::npos) throw Error("a process's stat cannot be read");
  std::istringstream fields{std::string(stat.substr(end_of_name + 1))};
  ProcessUsage usage;
  const auto tick_seconds = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::string field;
  for (int number = 3; number <= kResidentPages && fields >> field; ++number) {
    if (number == kUserTicks || number == kSystemTicks) usage.cpu_seconds += std::stod(field) * tick_seconds;
    if (number == kThreads) usage.threads = std::stoi(field);
    if (number == kResidentPages) usage.resident_bytes = std::stoll(field) * sysconf(_SC_PAGESIZE);
  }
  return usage;
}

}  // namespace ringwave::client
