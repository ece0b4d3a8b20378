// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <string>

#include "apps/cli/commands.hpp"
#include "apps/cli/standard_output.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/core/version.hpp"
#include "ringwave/ring/board.hpp"

namespace ringwave::cli {
namespace {

std::string footer() {
  std::string text = "Exit codes:\n";
  for (const auto& [code, meaning] : kExitCodes) {
    const std::string number = std::to_string(static_cast<int>(code));
    text += "  " + number + std::string(4 - number.size(), ' ') + meaning + "\n";
  }
  return text + "\nRINGWAVE_DEVICE names the device where --device does not.";
}

/// Writes the trace however the command ends: a failure is when one wants to look at it.
class TraceFile {
 public:
  explicit TraceFile(std::string path) : path_(std::move(path)) {
    if (path_.empty()) return;
    trace::name_thread("main");
    trace::start({});
  }

  ~TraceFile() {
    if (path_.empty()) return;
    try {
      write();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "ringwave: %s\n", error.what());
    }
  }

  TraceFile(const TraceFile&) = delete;  // one file, one trace
  TraceFile& operator=(const TraceFile&) = delete;

  void write() {
    if (path_.empty()) return;
    trace::stop();
    trace::write(std::exchange(path_, {}));
  }

 private:
  std::string path_;
};

ExitCode run(const Run& command, const Common& common) {
  ring::Board::instance().set_public(true);
  TraceFile trace_file(common.trace_path);
  const ExitCode code = command();
  trace_file.write();
  require_printed();
  return code;
}

/// A misspelt command is named, before the parser says only that one is required.
void require_known_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || *argv[1] == '-') return;
  const std::string name = argv[1];
  const auto known =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  if (known.empty())
    throw InvalidArgument("'" + name + "' is no command; 'ringwave --help' lists what there is");
}

/// What to type for help with the command that was read so far.
std::string help_of(const CLI::App& app) {
  std::string line = "ringwave";
  for (const CLI::App* command = &app; !command->get_subcommands().empty();) {
    command = command->get_subcommands().front();
    line += " " + command->get_name();
  }
  return "'" + line + " --help'";
}

/// Help, the version, or what is wrong with the line.
ExitCode answer(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) {
    (void)app.exit(error);
    require_printed();
    return ExitCode::ok;
  }
  std::fprintf(stderr, "ringwave: %s; %s lists what there is\n", error.what(), help_of(app).c_str());
  return ExitCode::wrong_use;
}

ExitCode parse_and_run(CLI::App& app, int argc, char** argv, const Run& command, const Common& common) {
  try {
    require_known_command(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return answer(app, error);
  }
  if (!command) throw InvalidArgument("a command is missing; " + help_of(app) + " lists what there is");
  return run(command, common);
}

int main(int argc, char** argv) {
  hold_standard_streams();
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a file that grows past the user's limit is an error of the write
  CLI::App app("Real-time audio on the GPU and the CPU.", "ringwave");
  app.set_version_flag("--version", std::string("ringwave ") + kVersion + " (" + kCommit + ")");
  app.set_help_flag("--help,-h", "Show this text");
  app.require_subcommand(0, 1);  // none is refused below, after the parser has named what it does not know
  app.footer(footer);
  Common common;
  Run command;
  add_devices(app, common, command);
  add_tune(app, common, command);
  add_bench(app, common, command);
  add_convert(app, common, command);
  add_loudness(app, common, command);
  add_spectrogram(app, common, command);
  add_convolve(app, common, command);
  add_filter(app, common, command);
  add_eq(app, common, command);
  add_resample(app, common, command);
  add_compose(app, common, command);
  add_render(app, common, command);
  add_play(app, common, command);
  add_serve(app, common, command);
  add_listen(app, common, command);
  add_load(app, common, command);
  add_ring(app, common, command);
  add_docs(app, common, command);
  try {
    return static_cast<int>(parse_and_run(app, argc, argv, command, common));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ringwave: %s\n", error.what());
    return static_cast<int>(exit_code_of(error));
  }
}

}  // namespace

CLI::App& add_command(CLI::App& app, Common& common, const std::string& name,
                      const std::string& description) {
  CLI::App& command = *app.add_subcommand(name, description);
  // Looked for while the line is parsed: also a command that needs no device refuses one that is not there.
  const auto set_device = [&common](const std::string& name_of_device) {
    (void)Device::find(name_of_device);
    common.device = name_of_device;
  };
  command
      .add_option_function<std::string>("--device", set_device, "Where to work: auto, cpu, cuda or cuda:N")
      ->type_name("NAME");
  command.add_option("--trace", common.trace_path, "Write a trace for ui.perfetto.dev into this file")
      ->type_name("FILE");
  return command;
}

}  // namespace ringwave::cli

int main(int argc, char** argv) {
  return ringwave::cli::main(argc, argv);
}
