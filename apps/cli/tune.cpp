// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <vector>

#include "apps/cli/commands.hpp"
#include "ringwave/backend/registry.hpp"
#include "ringwave/backend/tuner.hpp"
#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::cli {
namespace {

using backend::Registry;
using backend::RoutingTable;

/// A line that rewrites itself on a terminal; nothing in a pipe.
void show_progress(const std::string& op, int done, int total) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r\033[Kmeasuring %s: %d of %d", op.c_str(), done, total);
  if (done == total) std::fprintf(stderr, "\r\033[K");
}

std::vector<Device> chosen(const Common& common) {
  const Device device = common.find_device();
  const auto all = Device::all();
  return device.is_automatic() ? std::vector<Device>(all.begin(), all.end()) : std::vector<Device>{device};
}

ExitCode measure(const Common& common, const std::string& path) {
  const trace::Span span("tune");
  // What cannot be written is said before the minutes of measuring, not after.
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  { const AtomicFile trial(path); }
  const RoutingTable table = backend::tune(Registry::instance().ops(), chosen(common), show_progress);
  table.save(path);
  std::printf("wrote %s; 'ringwave tune --explain OP' shows the curves\n", path.c_str());
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
  CLI::App& command = add_command(
      app, common, "tune", "Measure every op on every device, and keep the table that 'auto' chooses by");
  const auto path = std::make_shared<std::string>();
  const auto op = std::make_shared<std::string>();
  command
      .add_option("--explain", *op,
                  "Do not measure; show the measured curves of this op and where they cross")
      ->type_name("OP");
  command.add_option("--table", *path, "The table's file, instead of the one in the user's cache folder")
      ->type_name("FILE");
  command.callback([&common, &run, path, op] {
    run = [&common, path, op] {
      const std::string file = path->empty() ? RoutingTable::default_path() : *path;
      return op->empty() ? measure(common, file) : explain(common, file, *op);
    };
  });
}

}  // namespace ringwave::cli
