// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>

#include "apps/cli/commands.hpp"
#include "bench/bench.hpp"
#include "ringwave/ring/handlers.hpp"

namespace ringwave::cli {
namespace {

/// The handlers that kernels can be made from, and where each of them runs.
ExitCode list_handlers() {
  const auto handlers = ring::Handlers::instance().all();
  std::size_t width = 7;
  for (const auto& handler : handlers) width = std::max(width, handler.name.size());
  std::printf("%-*s  %12s  runs on\n", static_cast<int>(width), "handler", "state");
  for (const auto& handler : handlers) {
    std::string where = "cpu";
    for (const Device device : Device::all())
      if (device.kind() == DeviceKind::cuda && handler.cuda.launch != nullptr) where += ", " + device.name();
    std::printf("%-*s  %6zu bytes  %s\n", static_cast<int>(width), handler.name.c_str(), handler.state_bytes,
                where.c_str());
  }
  return ExitCode::ok;
}

}  // namespace

void add_ring(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "ring", "Ring kernels: what they can be made from, and how fast they answer");
  const auto action = std::make_shared<std::string>();
  const auto options = std::make_shared<bench::Options>();
  command
      .add_option("action", *action,
                  "'list' the handlers, or 'bench': round trips, throughput, priority, launch and end")
      ->required()
      ->check(CLI::IsMember({"list", "bench"}))
      ->type_name("ACTION");
  command.add_option("--json", options->json_path, "bench: write the results into this file")
      ->type_name("FILE");
  command.add_flag("--quick", options->quick, "bench: fewer repetitions");
  command.callback([&common, &run, action, options] {
    run = [&common, action, options] {
      if (*action == "list") return list_handlers();
      options->device = common.find_device();
      options->filter = "ring_kernel/";
      return static_cast<ExitCode>(bench::run(*options, std::cout));
    };
  });
}

}  // namespace ringwave::cli
