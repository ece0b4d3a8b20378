// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>

#include "bench/coprocess.hpp"
#include "bench/table.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/version.hpp"

namespace ringwave::bench {
namespace {

/// Set in the program that this bench starts. A program that does not know --version could come here again,
/// and must not start a third.
constexpr const char* kMark = "RINGWAVE_BENCH_CHILD";

/// Starts a program, waits for its first line and its end.
class Starter {
 public:
  explicit Starter(std::vector<std::string> command) : command_(std::move(command)) {}

  double start() {
    try {
      return timed([this](std::size_t) {
        Coprocess process(command_, {std::string(kMark) + "=1"});
        line_ = process.read_line();
        status_ = process.finish();
      })(0);
    } catch (const Error&) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }

  [[nodiscard]] Check check(const char* expected) const {
    if (status_ != 0) return {false, 0, "it ended with status " + std::to_string(status_)};
    if (line_.find(expected) == std::string::npos) return {false, 0, "it printed '" + line_ + "'"};
    return {};
  }

 private:
  std::vector<std::string> command_;
  std::string line_;
  int status_ = -1;
};

Contender contender(const char* name, std::vector<std::string> command, const char* expected) {
  auto starter = std::make_shared<Starter>(std::move(command));
  return {name, 1, [starter](std::size_t) { return starter->start(); },
          [starter, expected] { return starter->check(expected); }};
}

Duel duel() {
  Duel made;
  if (std::getenv(kMark) != nullptr) {
    made.skipped = "this program was itself started to measure its start";
    return made;
  }
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) {
    made.skipped = "the path of this program is not known";
    return made;
  }
  made.ours = contender("ringwave --version", {self, "--version"}, kVersion);
  made.peers.push_back(contender("true (the floor)", {"/bin/true"}, ""));
  made.goal.at_most_ns = 50e6;
  made.least_samples = 20;
  return made;
}

}  // namespace

std::vector<Case> startup_cases(Devices devices) {
  if (!has_cpu(devices)) return {};
  return {
      {"startup/version/cpu", "start this program with --version and wait for its end", Device::cpu(), duel}};
}

}  // namespace ringwave::bench
