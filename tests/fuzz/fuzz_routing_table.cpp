// SPDX-License-Identifier: Apache-2.0
// Any text is a table or BadFile. A table comes back from its own text, and its estimates are times.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "ringwave/backend/routing_table.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/version.hpp"

namespace {

using ringwave::backend::RoutingTable;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The seeds say @VERSION@, so that they outlive this version.
std::string with_version(std::string text) {
  constexpr std::string_view kMark = "@VERSION@";
  if (const auto place = text.find(kMark); place != std::string::npos)
    text.replace(place, kMark.size(), ringwave::kVersion);
  return text;
}

std::optional<RoutingTable> read(const std::string& text) {
  try {
    return RoutingTable::from_json(text);
  } catch (const ringwave::BadFile&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = read(with_version({reinterpret_cast<const char*>(data), size}));
  if (!table) return 0;
  const std::string text = table->to_json();
  const auto back = read(text);
  require(back.has_value());
  require(back->to_json() == text);
  for (const char* op : {"fft", "gain"})
    for (const char* device : {"cpu", "cuda:0"}) {
      for (const auto& point : table->points(op, device)) {
        const auto seconds = table->estimate({op, point.size, point.batch}, device);
        require(seconds && std::abs(*seconds / point.seconds - 1) < 1e-6);
      }
      for (const int count : {1, 100, 1 << 30})
        if (const auto seconds = table->estimate({op, count, count}, device)) require(*seconds >= 0);
    }
  return 0;
}
