// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "apps/cli/exit_code.hpp"
#include "ringwave/core/device.hpp"

namespace ringwave::cli {

/// What every command takes.
struct Common {
  std::string device;      ///< empty: what RINGWAVE_DEVICE says, else auto
  std::string trace_path;  ///< empty: no trace

  [[nodiscard]] Device find_device() const {
    return device.empty() ? Device::from_environment() : Device::find(device);
  }
};

/// The chosen command, set while the line is parsed and run afterwards.
using Run = std::function<ExitCode()>;

/// Adds a command with the options that all have. [setup]
CLI::App& add_command(CLI::App& app, Common& common, const std::string& name, const std::string& description);

void add_devices(CLI::App& app, Common& common, Run& run);
void add_tune(CLI::App& app, Common& common, Run& run);
void add_bench(CLI::App& app, Common& common, Run& run);
void add_convert(CLI::App& app, Common& common, Run& run);
void add_loudness(CLI::App& app, Common& common, Run& run);
void add_spectrogram(CLI::App& app, Common& common, Run& run);
void add_convolve(CLI::App& app, Common& common, Run& run);
void add_filter(CLI::App& app, Common& common, Run& run);
void add_eq(CLI::App& app, Common& common, Run& run);
void add_resample(CLI::App& app, Common& common, Run& run);
void add_compose(CLI::App& app, Common& common, Run& run);
void add_render(CLI::App& app, Common& common, Run& run);
void add_play(CLI::App& app, Common& common, Run& run);
void add_serve(CLI::App& app, Common& common, Run& run);
void add_listen(CLI::App& app, Common& common, Run& run);
void add_load(CLI::App& app, Common& common, Run& run);
void add_ring(CLI::App& app, Common& common, Run& run);
void add_docs(CLI::App& app, Common& common, Run& run);

}  // namespace ringwave::cli
