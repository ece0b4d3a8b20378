// SPDX-License-Identifier: Apache-2.0
#include "apps/server/watch.hpp"

namespace ringwave::server {

std::vector<std::string> Watch::hanging(TickStamp::Time now) const {
  std::vector<std::string> names;
  for (const Loop& loop : loops_)
    if (loop.stamp->is_overdue(now)) names.push_back(loop.name);
  return names;
}

}  // namespace ringwave::server
