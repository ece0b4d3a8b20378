// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>

#include "apps/cli/commands.hpp"
#include "apps/cli/ring_list.hpp"
#include "apps/cli/ring_top.hpp"
#include "bench/bench.hpp"
#include "ringwave/ring/handlers.hpp"

namespace ringwave::cli {
namespace {

/// The handlers that kernels can be made from, and where each of them runs.
ExitCode list_handlers() {
  const auto handlers = ring::Handlers::instance().all();
  std::size_t width = 7;
  for (const auto& handler : handlers) width = std::max(width, handler.name.size());
  std::printf("%-*s  %13s  runs on\n", static_cast<int>(width), "handler", "state");
  for (const auto& handler : handlers) {
    std::string where = "cpu";
    for (const Device device : Device::all())
      if (device.kind() == DeviceKind::cuda && handler.cuda.launch != nullptr) where += ", " + device.name();
    std::printf("%-*s  %7zu bytes  %s\n", static_cast<int>(width), handler.name.c_str(), handler.state_bytes,
                where.c_str());
  }
  return ExitCode::ok;
}

void add_handlers(CLI::App& ring, Run& run) {
  CLI::App& command =
      *ring.add_subcommand("handlers", "List what kernels can be made from, and where each of them runs");
  command.callback([&run] { run = list_handlers; });
}

void add_list(CLI::App& ring, Run& run) {
  CLI::App& command =
      *ring.add_subcommand("list", "List the ring kernels of your running processes, and how they are");
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON, with all that the kernels count");
  command.callback([&run, json] {
    run = [json] {
      list_kernels(*json);
      return ExitCode::ok;
    };
  });
}

void add_top(CLI::App& ring, Run& run) {
  CLI::App& command =
      *ring.add_subcommand("top", "Watch the ring kernels of your running processes, until Ctrl-C or q");
  command.footer(
      "msg/s: messages handled a second. inbox, peak: messages that wait, and the most that did, of all "
      "bands. p50, p99, max: from the send to the handler's beginning, of half of the messages, of 99 of "
      "100, and of the slowest. busy: share of the time inside handlers. drops: messages that were given "
      "up: expired, dropped, turned away. errors: handlers that failed or refused.");
  struct Options {
    double interval_seconds = 1;
    int count = 0;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("--interval", options->interval_seconds, "From one table to the next, 0.1 to 3600")
      ->type_name("SECONDS")
      ->capture_default_str();
  command.add_option("--count", options->count, "End after so many tables; 0: go on")
      ->type_name("N")
      ->capture_default_str();
  command.callback([&run, options] {
    run = [options] {
      watch_kernels(options->interval_seconds, options->count);
      return ExitCode::ok;
    };
  });
}

void add_ring_bench(CLI::App& ring, Common& common, Run& run) {
  CLI::App& command = add_command(ring, common, "bench",
                                  "Measure ring kernels: round trips, throughput, priority, launch and end");
  const auto options = std::make_shared<bench::Options>();
  command.add_option("--json", options->json_path, "Write the results into this file")->type_name("FILE");
  command.add_flag("--quick", options->quick, "Fewer repetitions");
  command.callback([&common, &run, options] {
    run = [&common, options] {
      options->device = common.find_device();
      options->filter = "ring_kernel/";
      return static_cast<ExitCode>(bench::run(*options, std::cout));
    };
  });
}

}  // namespace

void add_ring(CLI::App& app, Common& common, Run& run) {
  CLI::App& ring = *app.add_subcommand(
      "ring", "Ring kernels: what runs now, what they can be made from, and how fast they answer");
  // None is refused by main(), after the parser has named what it does not know.
  ring.require_subcommand(0, 1);
  add_list(ring, run);
  add_top(ring, run);
  add_handlers(ring, run);
  add_ring_bench(ring, common, run);
}

}  // namespace ringwave::cli
