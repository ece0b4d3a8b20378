// SPDX-License-Identifier: Apache-2.0
#include "apps/server/descriptors.hpp"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

constexpr int kMostLooked = 4096;  // the system gives the lowest number that is free

int open_now() noexcept {
  int count = 0;
  for (int number = 0; number < kMostLooked; ++number) count += fcntl(number, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

}  // namespace

std::optional<Descriptors::Place> Descriptors::take() noexcept {
  int free = free_.load();
  while (free > 0)
    if (free_.compare_exchange_weak(free, free - 1)) return std::optional<Place>(std::in_place, *this);
  return {};
}

int descriptors_for(int connections) {
  const int wanted = 2 * connections;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const int own = open_now() + Descriptors::kReserve;
  const auto needed = static_cast<rlim_t>(wanted) + static_cast<rlim_t>(own);
  if (limit.rlim_cur < needed) {
    const rlimit raised{.rlim_cur = std::min(needed, limit.rlim_max), .rlim_max = limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  const int left = static_cast<int>(std::min(limit.rlim_cur, needed)) - own;
  if (left < 1)
    throw InvalidArgument(
        "the system allows " + std::to_string(limit.rlim_cur) + " open files, and the server needs " +
        std::to_string(own) +
        " before anybody has come; raise the limit with `ulimit -n`, or LimitNOFILE of systemd");
  return left;
}

}  // namespace ringwave::server
