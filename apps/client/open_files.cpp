// SPDX-License-Identifier: Apache-2.0
#include "apps/client/open_files.hpp"

#include <sys/resource.h>

namespace ringwave::client {

std::uint64_t raise_open_files() noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  rlimit raised = limit;
  raised.rlim_cur = raised.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

}  // namespace ringwave::client
