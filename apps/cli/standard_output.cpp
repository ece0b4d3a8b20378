// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

#include "ringwave/core/error.hpp"

namespace ringwave::cli {

void hold_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    // Open for what nobody does with it, so that a use of it fails as before.
    const int held = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (held >= 0 && held != number) close(held);  // an earlier one could not be held either
  }
}

void require_printed() {
  errno = 0;
  const bool is_flushed = std::fflush(stdout) == 0;  // std::cout writes through it
  if (is_flushed && std::ferror(stdout) == 0 && std::cout) return;
  throw BadFile("standard output cannot be written: " +
                (errno != 0 ? std::generic_category().message(errno)
                            : std::string("what was printed is not all there")));
}

}  // namespace ringwave::cli
