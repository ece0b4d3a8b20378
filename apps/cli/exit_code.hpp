// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <exception>

namespace ringwave::cli {

/// How the program ends. Scripts may rely on these.
enum class ExitCode : int {
  ok = 0,
  check_failed = 1,
  wrong_use = 2,
  no_device = 3,
  bad_file = 4,
  out_of_memory = 5,
  internal = 70,
  // 128 and the signal, as a shell says it.
  hung_up = 129,
  interrupted = 130,
  terminated = 143,
};

struct ExitCodeMeaning {
  ExitCode code;
  const char* meaning;
};

/// The table that the help and the manual show.
inline constexpr std::array<ExitCodeMeaning, 10> kExitCodes{{
    {ExitCode::ok, "done"},
    {ExitCode::check_failed, "a check failed: a regression, or a wrong output"},
    {ExitCode::wrong_use, "wrong use: an unknown command, option, op, device name or size"},
    {ExitCode::no_device, "the device, or the server, is not there, or has failed"},
    {ExitCode::bad_file, "a file is missing, damaged, foreign, or cannot be written"},
    {ExitCode::out_of_memory, "no memory, or a budget is used up"},
    {ExitCode::internal, "a fault in Ringwave itself"},
    {ExitCode::hung_up, "stopped by SIGHUP, a terminal that was closed; no output has its name"},
    {ExitCode::interrupted, "stopped by Ctrl-C; no output has its name"},
    {ExitCode::terminated, "stopped by SIGTERM; no output has its name"},
}};

/// The code for an error that reached main(). [any]
[[nodiscard]] ExitCode exit_code_of(const std::exception& error) noexcept;

}  // namespace ringwave::cli
