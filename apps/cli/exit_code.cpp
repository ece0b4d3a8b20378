// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/exit_code.hpp"

#include <new>

#include "ringwave/core/error.hpp"

namespace ringwave::cli {

ExitCode exit_code_of(const std::exception& error) noexcept {
  const auto is = [&]<class Kind>(const Kind*) { return dynamic_cast<const Kind*>(&error) != nullptr; };
  if (is(static_cast<const InvalidArgument*>(nullptr))) return ExitCode::wrong_use;
  if (is(static_cast<const DeviceUnavailable*>(nullptr))) return ExitCode::no_device;
  if (is(static_cast<const DeviceLost*>(nullptr))) return ExitCode::no_device;
  if (is(static_cast<const BadFile*>(nullptr))) return ExitCode::bad_file;
  if (is(static_cast<const Interrupted*>(nullptr))) return ExitCode::interrupted;
  if (is(static_cast<const OutOfMemory*>(nullptr))) return ExitCode::out_of_memory;
  if (is(static_cast<const std::bad_alloc*>(nullptr))) return ExitCode::out_of_memory;
  return ExitCode::internal;
}

}  // namespace ringwave::cli
