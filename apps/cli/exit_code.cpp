// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/exit_code.hpp"

#include <csignal>
#include <new>

#include "apps/cli/interruption.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::cli {

namespace {

ExitCode code_of_signal(int number) noexcept {
  if (number == SIGHUP) return ExitCode::hung_up;
  return number == SIGTERM ? ExitCode::terminated : ExitCode::interrupted;
}

}  // namespace

ExitCode exit_code_of(const std::exception& error) noexcept {
  const auto is = [&]<class Kind>(const Kind*) { return dynamic_cast<const Kind*>(&error) != nullptr; };
  if (is(static_cast<const InvalidArgument*>(nullptr))) return ExitCode::wrong_use;
  if (is(static_cast<const DeviceUnavailable*>(nullptr))) return ExitCode::no_device;
  if (is(static_cast<const DeviceLost*>(nullptr))) return ExitCode::no_device;
  if (is(static_cast<const BadFile*>(nullptr))) return ExitCode::bad_file;
  if (is(static_cast<const Interrupted*>(nullptr))) return code_of_signal(Interruption::signal());
  if (is(static_cast<const OutOfMemory*>(nullptr))) return ExitCode::out_of_memory;
  if (is(static_cast<const std::bad_alloc*>(nullptr))) return ExitCode::out_of_memory;
  return ExitCode::internal;
}

}  // namespace ringwave::cli
