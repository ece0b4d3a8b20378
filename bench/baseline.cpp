// SPDX-License-Identifier: Apache-2.0
#include "bench/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "bench/duration.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::bench {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::size_t kMostNameBytes = 200;
constexpr int kMostDepth = 8;  // results are four deep; a file of nothing but brackets would eat the memory

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw BadFile("'" + path + "' cannot be compared with: " + reason +
                "; use a file that 'ringwave bench --json' wrote");
}

const Json& member(const Json& object, const char* key, const std::string& path) {
  if (!object.is_object() || !object.contains(key)) refuse(path, std::string("it has no '") + key + "'");
  return object[key];
}

std::string text_of(const Json& object, const char* key, const std::string& path) {
  const Json& value = member(object, key, path);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kMostNameBytes)
    refuse(path, std::string("its '") + key + "' is not a text of at most 200 characters");
  return value.get<std::string>();
}

double nanoseconds_of(const Json& object, const char* key, const std::string& path) {
  const Json& value = member(object, key, path);
  const double number = value.is_number() ? value.get<double>() : 0;
  if (!(number > 0) || !(number < 1e18))
    refuse(path, std::string("a '") + key + "' in it is not a positive time");
  return number;
}

}  // namespace

Baseline Baseline::load(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) refuse(path, "it is no file");
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad() || (!file && !file.eof())) refuse(path, "it cannot be read");
  if (text.size() > kMostBytes) refuse(path, "it is larger than 16 MiB");
  return parse(text, path);
}

Baseline Baseline::parse(std::string_view text, const std::string& path) {
  const auto shallow = [&path](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
    if (depth > kMostDepth) refuse(path, "it is nested too deeply");
    return true;
  };
  Json root;
  try {
    root = Json::parse(text, shallow);
  } catch (const Json::exception&) {
    refuse(path, "it is not whole, or not JSON");
  }
  Baseline baseline;
  baseline.path_ = path;
  const Json& machine = member(root, "machine", path);
  baseline.machine_.cpu = text_of(machine, "cpu", path);
  if (machine.contains("gpu")) baseline.machine_.gpu = text_of(machine, "gpu", path);
  const Json& cases = member(root, "cases", path);
  if (!cases.is_array()) refuse(path, "its 'cases' are not a list");
  for (const Json& element : cases) {
    const std::string name = text_of(element, "name", path);
    const Entry entry{nanoseconds_of(element, "median_ns", path), nanoseconds_of(element, "ci_low_ns", path),
                      nanoseconds_of(element, "ci_high_ns", path)};
    if (!(entry.ci_low <= entry.median && entry.median <= entry.ci_high))
      refuse(path, "a median in it lies outside its own interval");
    if (!baseline.cases_.emplace(name, entry).second) refuse(path, "it has a case twice");
  }
  return baseline;
}

bool Baseline::regressed(const Result& result, double threshold_percent) const {
  const auto found = cases_.find(result.name);
  if (result.summary.samples == 0 || found == cases_.end()) return false;
  const Entry& then = found->second;
  return result.summary.median > then.median * (1 + threshold_percent / 100) &&
         result.summary.ci_low > then.ci_high;
}

int Baseline::compare(std::span<const Result> results, double threshold_percent, std::ostream& out) const {
  const MachineName here = MachineName::of_this_machine();
  out << "\ncompared with " << path_ << ", threshold " << threshold_percent << " %\n";
  if (here.cpu != machine_.cpu || here.gpu != machine_.gpu)
    out << "warning: those results are of another machine (" << machine_.cpu
        << (machine_.gpu.empty() ? "" : ", ") << machine_.gpu << "): the differences are the machines' too\n";
  int regressions = 0;
  int absent = 0;
  for (const Result& result : results) {
    const auto found = cases_.find(result.name);
    if (result.summary.samples == 0 || found == cases_.end()) {
      ++absent;
      continue;
    }
    const Entry& then = found->second;
    const double percent = 100 * (result.summary.median / then.median - 1);
    const bool slower = regressed(result, threshold_percent);
    const bool faster = percent < -threshold_percent && result.summary.ci_high < then.ci_low;
    regressions += slower ? 1 : 0;
    const char* word = slower                                  ? "REGRESSION"
                       : faster                                ? "faster"
                       : std::abs(percent) > threshold_percent ? "within the noise"
                                                               : "same";
    char line[320];
    std::snprintf(line, sizeof line, "  %-40s %9s -> %9s  %+7.1f %%  %s\n", result.name.c_str(),
                  format_duration(then.median).c_str(), format_duration(result.summary.median).c_str(),
                  percent, word);
    out << line;
  }
  if (absent > 0) out << "  " << absent << " cases are not in both\n";
  out << "  " << regressions << (regressions == 1 ? " regression\n" : " regressions\n");
  return regressions;
}

}  // namespace ringwave::bench
