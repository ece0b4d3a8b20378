// SPDX-License-Identifier: Apache-2.0
#include <stdio_ext.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "apps/cli/commands.hpp"
#include "apps/server/config_setting.hpp"
#include "apps/server/server.hpp"

namespace ringwave::cli {
namespace {

struct Options {
  std::string config;
  std::map<std::string, std::string, std::less<>> given;  // by the name of the setting
  bool check = false;
};

/// A file first, then the environment, then the command line: each has the last word about what it names.
server::ServerConfig config_of(const Options& options, const Common& common) {
  server::ServerConfig config;
  if (!options.config.empty()) read_file(config, options.config);
  read_environment(config);
  for (const server::Setting& setting : server::settings())
    if (const auto found = options.given.find(setting.name); found != options.given.end())
      setting.set(config, found->second, setting.flag());
  if (!common.device.empty()) config.device = common.device;
  complete(config);
  return config;
}

ExitCode serve(const Options& options, const Common& common) {
  const server::ServerConfig config = config_of(options, common);
  if (options.check) {
    for (const std::string& line : server::check(config)) std::printf("%s\n", line.c_str());
    return ExitCode::ok;
  }
  server::Server server(config);
  std::printf("listening on %s\n", server.url().c_str());
  // Nobody may be there to read it; that is no reason to be silent for the listeners.
  if (std::fflush(stdout) != 0) {
    std::fprintf(stderr, "ringwave: listening on %s; standard output cannot be written\n",
                 server.url().c_str());
    __fpurge(stdout);
    std::clearerr(stdout);
  }
  server.run();
  return ExitCode::ok;
}

void add_setting(CLI::App& command, const server::Setting& setting, Options& options) {
  const std::string name(setting.name);
  const std::string about(setting.about);
  if (setting.is_switch()) {
    command.add_flag_callback(
        setting.flag(), [&options, name] { options.given[name] = "true"; }, about);
    return;
  }
  command
      .add_option_function<std::string>(
          setting.flag(), [&options, name](const std::string& value) { options.given[name] = value; }, about)
      ->type_name(std::string(setting.type))
      ->default_str(setting.text_of({}));
}

}  // namespace

void add_serve(CLI::App& app, Common& common, Run& run) {
  CLI::App& command =
      add_command(app, common, "serve",
                  "Serve endless music: a web page, streams for players, and an interface for "
                  "programs; Ctrl-C ends it gently. Each setting can also stand in the file and in "
                  "the environment, as --max-stations does as max_stations and RINGWAVE_MAX_STATIONS");
  const auto options = std::make_shared<Options>();
  command
      .add_option("--config", options->config,
                  "Settings, as TOML; what the environment says counts more, and flags most")
      ->type_name("FILE");
  command.add_flag("--check", options->check, "Only see whether it could serve, say how, and end");
  for (const server::Setting& setting : server::settings()) add_setting(command, setting, *options);
  command.callback(
      [&run, &common, options] { run = [&common, options] { return serve(*options, common); }; });
}

}  // namespace ringwave::cli
