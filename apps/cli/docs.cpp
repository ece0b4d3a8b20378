// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <sstream>

#include "apps/cli/commands.hpp"

namespace ringwave::cli {
namespace {

void write_options(const CLI::App& command, std::ostream& out) {
  for (const CLI::Option* option : command.get_options()) {
    const bool is_value = option->get_items_expected_max() > 0;
    const std::string standard = option->get_default_str();
    out << "- `" << option->get_name(option->get_positional(), true)
        << (is_value ? " " + option->get_type_name() : "") << "`: " << option->get_description()
        << (standard.empty() ? "" : " [" + standard + "]") << '\n';
  }
}

void write_command(const CLI::App& command, const std::string& mark, const std::string& name,
                   std::ostream& out) {
  out << "\n" << mark << " `" << name << "`\n\n" << command.get_description() << ".\n\n";
  write_options(command, out);
  if (!command.get_footer().empty()) out << "\n" << command.get_footer() << '\n';
  for (const CLI::App* part : command.get_subcommands([](const CLI::App*) { return true; }))
    write_command(*part, mark + "#", name + " " + part->get_name(), out);
}

/// The manual, from the same definitions as --help.
void write_manual(const CLI::App& app, std::ostream& out) {
  out << "# The command line\n\nThis page is made by `ringwave docs`; `--help` says the same.\n\n"
      << app.get_description() << "\n\n`ringwave --version` prints the version.\n\n## Commands\n";
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); }))
    write_command(*command, "###", "ringwave " + command->get_name(), out);
  out << "\n## Environment\n\n- `RINGWAVE_DEVICE`: the device where `--device` does not name one\n"
         "- `RINGWAVE_CUDA_MODULE`: the CUDA module, instead of the one beside the library\n"
         "- `RINGWAVE_CUDA_CONTEXTS`: 2 makes two devices of each GPU, with a context each, to try on one "
         "GPU what several do; they take turns, and are slow\n"
         "- `RINGWAVE_RING_BOARD`: 1 shows a program's ring kernels to `ringwave ring list` and `top`, 0 "
         "does not; without it `ringwave` shows its own\n"
         "- `XDG_RUNTIME_DIR`: where they are shown, in its `ringwave` folder; without it in "
         "`/tmp/ringwave-<user id>`\n"
         "- `XDG_CACHE_HOME`: the user's cache folder, instead of `~/.cache`; the routing table is "
         "`ringwave/routing.json`\n"
         "- `RINGWAVE_MAX_STATIONS`, and so on for every setting of `ringwave serve`: what its flag would "
         "say\n"
         "- `XDG_STATE_HOME`: where `ringwave serve` keeps its `ringwave` folder, instead of "
         "`~/.local/state`\n"
         "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const auto& [code, meaning] : kExitCodes)
    out << "| " << static_cast<int>(code) << " | " << meaning << " |\n";
}

}  // namespace

void add_docs(CLI::App& app, Common& common, Run& run) {
  CLI::App& command = add_command(app, common, "docs", "Print the manual as Markdown");
  command.group("");  // for the makers of docs/cli.md, not for users
  command.callback([&app, &run] {
    run = [&app] {
      write_manual(app, std::cout);
      return ExitCode::ok;
    };
  });
}

}  // namespace ringwave::cli
