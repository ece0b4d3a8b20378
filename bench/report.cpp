// SPDX-License-Identifier: Apache-2.0
#include "bench/report.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <ostream>

#include "bench/duration.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::bench {
namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  char text[512];
  va_list values;
  va_start(values, pattern);
  std::vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

int width_of(std::span<const Case> cases) {
  std::size_t width = 32;  // the names of peers stand in the same column
  for (const Case& bench_case : cases) width = std::max(width, bench_case.name.size());
  return static_cast<int>(width);
}

/// Achieved and possible bandwidth: "21.3 of 24.0 (89 %)"; the work may also live in a cache and pass 100 %.
std::string in_words_gbs(const Result& result) {
  if (result.gbs <= 0) return {};
  if (result.peak_gbs <= 0) return format("%.3g", result.gbs);
  return format("%.3g of %.3g (%.0f %%)", result.gbs, result.peak_gbs, 100 * result.gbs / result.peak_gbs);
}

/// From the median to the number of samples.
std::string in_columns(const Summary& s) {
  const std::string interval = format_duration(s.ci_low) + " .. " + format_duration(s.ci_high);
  return format("%9s %21s %9s %9s %9s %7zu  ", format_duration(s.median).c_str(), interval.c_str(),
                format_duration(s.p99).c_str(), format_duration(s.p999).c_str(),
                format_duration(s.max).c_str(), s.samples);
}

std::string in_words(const Check& check) {
  if (check.ok) return check.note.empty() ? "ok" : check.note;
  return "WRONG: " + check.note;
}

}  // namespace

Report::Report(std::ostream& out, std::span<const Case> cases) : out_(out), name_width_(width_of(cases)) {}

void Report::print_head() {
  out_ << "ringwave " << kVersion << " (" << kCommit << "), " << kCompiler << ", " << kFlags << '\n';
  for (const Device device : Device::all())
    out_ << format("%-8s %s, %d %s, %s\n", device.name().c_str(), device.profile().name.c_str(),
                   device.profile().cores, device.kind() == DeviceKind::cpu ? "cores" : "multiprocessors",
                   device.profile().instruction_set.c_str());
  out_ << format("\n%-*s %9s %21s %9s %9s %9s %7s  %-22s %8s  %s\n", name_width_, "case", "median",
                 "95 % interval", "p99", "p99.9", "max", "samples", "GB/s of measured", "GFLOP/s", "output");
}

void Report::print(const Result& result) {
  if (!result.skipped.empty()) {
    out_ << format("%-*s skipped: ", name_width_, result.name.c_str()) << result.skipped << std::endl;
    return;
  }
  const Summary& s = result.summary;
  if (s.samples == 0) {
    out_ << format("%-*s ", name_width_, result.name.c_str()) << in_words(result.check) << std::endl;
    return;
  }
  out_ << format("%-*s ", name_width_, result.name.c_str()) << in_columns(s)
       << format("%-22s %8s  ", in_words_gbs(result).c_str(),
                 result.gflops > 0 ? format("%.3g", result.gflops).c_str() : "")
       << in_words(result.check) << '\n';
  for (const PeerResult& peer : result.peers)
    out_ << format("%-*s ", name_width_, ("  " + peer.name).c_str()) << in_columns(peer.summary)
         << format("ours is %.2f times as fast", peer.ratio) << "; its output: " << in_words(peer.check)
         << '\n';
  for (const std::string& note : result.notes) out_ << "  note: " << note << '\n';
  for (const Verdict& verdict : result.verdicts)
    out_ << "  goal: " << verdict.goal << (verdict.met ? ": met" : ": MISSED") << '\n';
  out_.flush();
}

void Report::print_foot(std::span<const Result> results) {
  std::size_t measured = 0;
  std::size_t skipped = 0;
  std::size_t wrong = 0;
  std::size_t goals = 0;
  std::size_t met = 0;
  for (const Result& result : results) {
    measured += result.summary.samples > 0 ? 1U : 0U;
    skipped += result.skipped.empty() ? 0U : 1U;
    wrong += result.check.ok ? 0U : 1U;
    goals += result.verdicts.size();
    for (const Verdict& verdict : result.verdicts) met += verdict.met ? 1U : 0U;
  }
  out_ << format(
      "\n%zu cases measured, %zu skipped, %zu failed or with a wrong output; %zu of %zu goals met\n",
      measured, skipped, wrong, met, goals);
}

void print_list(std::ostream& out, std::span<const Case> cases) {
  const int width = width_of(cases);
  for (const Case& bench_case : cases)
    out << format("%-*s  ", width, bench_case.name.c_str()) << bench_case.summary << '\n';
}

}  // namespace ringwave::bench
