// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <vector>

#include "apps/cli/commands.hpp"
#include "apps/cli/interruption.hpp"
#include "apps/cli/progress_log.hpp"
#include "ringwave/backend/registry.hpp"
#include "ringwave/backend/tuner.hpp"
#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::cli {
namespace {

using backend::Registry;
using backend::RoutingTable;
using backend::TuneCount;
using std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kLeastBudgetSeconds = 0.1;
constexpr double kMostBudgetSeconds = 86400;

struct Options {
  std::string table;
  std::string op;
  std::optional<double> budget_seconds;
};

std::vector<Device> chosen(const Common& common) {
  const Device device = common.find_device();
  const auto all = Device::all();
  return device.is_automatic() ? std::vector<Device>(all.begin(), all.end()) : std::vector<Device>{device};
}

/// What was measured before on this machine. A table that is foreign or torn is measured anew.
RoutingTable earlier(const std::string& path) {
  try {
    if (auto table = RoutingTable::load(path, RoutingTable::this_machine())) return std::move(*table);
  } catch (const BadFile&) {
  }
  return RoutingTable(RoutingTable::this_machine());
}

/// A tuning, and the table that it leaves however it ends.
class Tuning {
 public:
  Tuning(std::string path, std::optional<double> budget_seconds)
      : path_(std::move(path)), budget_seconds_(budget_seconds), table_(earlier(path_)) {}

  void run(const std::vector<Device>& devices) {
    const auto progress = [this](const std::string& op, int done, int total) {
      count_ = {done, total};
      if (log_ && log_->is_due()) log_->show(text(op));
    };
    try {
      count_ = backend::tune(table_, Registry::instance().ops(), devices,
                             {.progress = progress, .is_over = [this] { return is_over(); }});
    } catch (...) {
      keep();
      throw;
    }
    log_.reset();
    keep();
  }

  [[nodiscard]] bool is_whole() const noexcept { return count_.done == count_.total; }

  /// "12 of 400 points were measured and are kept in FILE"
  [[nodiscard]] std::string outcome() const {
    return count_.done == 0 ? "nothing was measured yet, and " + path_ + " is as it was"
                            : points() + " were measured and are kept in " + path_;
  }

 private:
  [[nodiscard]] std::string points() const {
    return std::to_string(count_.done) + " of " + std::to_string(count_.total) + " points";
  }

  [[nodiscard]] double spent_seconds() const { return Seconds(steady_clock::now() - began_).count(); }

  [[nodiscard]] bool is_over() const {
    return *Interruption::flag() || (budget_seconds_ && spent_seconds() >= *budget_seconds_);
  }

  void keep() const {
    if (count_.done > 0) table_.save(path_);
  }

  [[nodiscard]] std::string text(const std::string& op) const {
    double left = spent_seconds() * (count_.total - count_.done) / count_.done;
    if (budget_seconds_) left = std::clamp(*budget_seconds_ - spent_seconds(), 0.0, left);
    return "measuring " + op + ": " + points() + ", about " + clock_text(static_cast<std::int64_t>(left)) +
           " left";
  }

  const std::string path_;
  const std::optional<double> budget_seconds_;
  const steady_clock::time_point began_ = steady_clock::now();
  RoutingTable table_;
  TuneCount count_;
  std::optional<ProgressLog> log_{std::in_place};
};

void require_budget(std::optional<double> seconds) {
  if (seconds && !(*seconds >= kLeastBudgetSeconds && *seconds <= kMostBudgetSeconds))
    throw InvalidArgument("a budget of " + number_text(*seconds) + " s was asked for; use " +
                          number_text(kLeastBudgetSeconds) + " to " + number_text(kMostBudgetSeconds));
}

ExitCode measure(const Options& options, const Common& common, const std::string& path) {
  const trace::Span span("tune");
  require_budget(options.budget_seconds);
  const Interruption interruption;
  // What cannot be written is said before the minutes of measuring, not after.
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  { const AtomicFile trial(path); }
  Tuning tuning(path, options.budget_seconds);
  tuning.run(chosen(common));
  if (*Interruption::flag()) throw Interrupted("stopped by a signal: " + tuning.outcome());
  if (tuning.is_whole())
    std::printf("wrote %s; 'ringwave tune --explain OP' shows the curves\n", path.c_str());
  else
    std::printf("the budget of %s s is over: %s; another 'ringwave tune' goes on with the rest\n",
                number_text(*options.budget_seconds).c_str(), tuning.outcome().c_str());
  return ExitCode::ok;
}

ExitCode explain(const Common& common, const std::string& path, const std::string& op) {
  const backend::OpInfo& info = Registry::instance().op(op);
  const auto table = RoutingTable::load(path, RoutingTable::this_machine());
  if (!table) throw BadFile("there is no routing table at " + path + " yet; run 'ringwave tune' first");
  backend::explain(*table, info, chosen(common), std::cout);
  return ExitCode::ok;
}

}  // namespace

void add_tune(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "tune",
                  "Measure every op on every device, and keep the table that 'auto' chooses by. What was "
                  "measured is kept however it ends, Ctrl-C included; what was never measured comes first");
  const auto options = std::make_shared<Options>();
  command
      .add_option("--explain", options->op,
                  "Do not measure; show the measured curves of this op and where they cross")
      ->type_name("OP");
  command
      .add_option("--table", options->table,
                  "The table's file, instead of the one in the user's cache folder")
      ->type_name("FILE");
  command.add_option("--budget", options->budget_seconds, "Measure so long at most, and keep what there is")
      ->type_name("SECONDS");
  command.callback([&common, &run, options] {
    run = [&common, options] {
      const std::string file = options->table.empty() ? RoutingTable::default_path() : options->table;
      return options->op.empty() ? measure(*options, common, file) : explain(common, file, options->op);
    };
  });
}

}  // namespace ringwave::cli
