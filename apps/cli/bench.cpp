// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"

#include <iostream>

#include "apps/cli/commands.hpp"

namespace ringwave::cli {

void add_bench(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "bench", "Measure speed, with every output checked and peers in the same run");
  const auto options = std::make_shared<bench::Options>();
  command.add_option("filter", options->filter, "Only benches whose name contains this")->type_name("FILTER");
  command.add_flag("--list", options->list, "Name the benches, run none");
  command.add_flag("--quick", options->quick, "Fewer repetitions");
  command.add_option("--json", options->json_path, "Write the results into this file")->type_name("FILE");
  CLI::Option* compare = command
                             .add_option("--compare", options->compare_path,
                                         "Compare with earlier results; exit 1 where one is slower")
                             ->type_name("BASE.json");
  command.add_option("--threshold", options->threshold_percent, "How many percent slower count as slower")
      ->capture_default_str()
      ->needs(compare)
      ->type_name("PERCENT");
  command.callback([&common, &run, options] {
    run = [&common, options] {
      options->device = common.find_device();
      return static_cast<ExitCode>(bench::run(*options, std::cout));
    };
  });
}

}  // namespace ringwave::cli
