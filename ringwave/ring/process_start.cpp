// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/process_start.hpp"

#include <filesystem>
#include <sstream>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/core/read_file.hpp"

namespace ringwave::ring {
namespace {

std::string stat_of(std::int64_t process) {
  try {
    return read_file(std::filesystem::path("/proc") / std::to_string(process) / "stat", 4096);
  } catch (const BadFile&) {
    return {};
  }
}

}  // namespace

std::optional<std::uint64_t> process_start(std::int64_t process) {
  // "17 (a name) S …": the name may hold anything, its bracket is the last one. See proc(5).
  const std::string stat = stat_of(process);
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  constexpr int kState = 3;
  constexpr int kStart = 22;
  for (int i = kState; i < kStart; ++i) {
    fields >> field;
    if (i == kState && (field == "Z" || field == "X")) return {};
  }
  std::uint64_t start = 0;
  return fields >> start ? std::optional(start) : std::nullopt;
}

}  // namespace ringwave::ring
