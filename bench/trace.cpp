// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/trace.hpp"

#include <sstream>

#include "bench/keep.hpp"
#include "bench/table.hpp"

namespace ringwave::bench {
namespace {

constexpr std::size_t kSpans = 1000;
constexpr std::size_t kRingEvents = 4096;
constexpr const char* kSpanName = "bench span";

void spans() {
  for (std::size_t i = 0; i < kSpans; ++i) {
    const trace::Span span(kSpanName);
    keep(i);
  }
}

/// Spans in what the trace would write.
std::size_t count_spans() {
  std::ostringstream out;
  trace::write(out);
  const std::string text = out.str();
  std::size_t count = 0;
  for (std::size_t at = text.find(kSpanName); at != std::string::npos; at = text.find(kSpanName, at + 1))
    ++count;
  return count;
}

Check expect_spans(std::size_t expected) {
  trace::stop();
  const std::size_t found = count_spans();
  if (found == expected) return {};
  return {false, 0, std::to_string(found) + " spans recorded instead of " + std::to_string(expected)};
}

Duel duel(bool on) {
  Duel made;
  if (trace::detail::enabled.load()) {
    made.skipped = "a trace of this run is being recorded, which it would end";
    return made;
  }
  trace::start({.threads = 1, .events_per_thread = kRingEvents});
  if (!on) trace::stop();
  made.ours = {"span", kSpans, timed([](std::size_t) { spans(); }),
               // A full ring leaves out the oldest of its events, which may be half overwritten.
               [on] { return expect_spans(on ? kRingEvents - 1 : 0); }};
  made.goal.at_most_ns = on ? 60 : 2;
  return made;
}

}  // namespace

std::vector<Case> trace_cases(Devices devices) {
  if (!has_cpu(devices)) return {};
  return {{"trace/span-on/cpu", "record one span", Device::cpu(), [] { return duel(true); }},
          {"trace/span-off/cpu", "pass one span while nothing is recorded", Device::cpu(),
           [] { return duel(false); }}};
}

}  // namespace ringwave::bench
