// SPDX-License-Identifier: Apache-2.0
#include "tests/realtime/violation.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace ringwave::realtime {
namespace {

/// The calls that audio code has been seen to make by mistake; others show as their number.
constexpr std::pair<long, const char*> kNames[] = {
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_writev, "writev"},
    {SYS_openat, "openat"},
    {SYS_close, "close"},
    {SYS_newfstatat, "newfstatat"},
    {SYS_lseek, "lseek"},
    {SYS_mmap, "mmap"},
    {SYS_munmap, "munmap"},
    {SYS_mprotect, "mprotect"},
    {SYS_madvise, "madvise"},
    {SYS_brk, "brk"},
    {SYS_ioctl, "ioctl"},
    {SYS_futex, "futex"},
    {SYS_sched_yield, "sched_yield"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_clock_gettime, "clock_gettime"},
    {SYS_gettimeofday, "gettimeofday"},
    {SYS_getpid, "getpid"},
    {SYS_gettid, "gettid"},
    {SYS_tgkill, "tgkill"},
    {SYS_poll, "poll"},
    {SYS_ppoll, "ppoll"},
    {SYS_epoll_wait, "epoll_wait"},
    {SYS_sendto, "sendto"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_rt_sigprocmask, "rt_sigprocmask"},
    {SYS_clone3, "clone3"},
    {SYS_sched_setscheduler, "sched_setscheduler"},
    {SYS_getrandom, "getrandom"},
};

bool is_driver_frame(const StackSymbols::Place& place) {
  if (place.file.starts_with("libcuda.so") || place.file.starts_with("libcudart") ||
      place.file.starts_with("libnvidia"))
    return true;
  // The runtime is linked into our module; its entry points carry its names, ours never do.
  return place.file.starts_with("libringwave_cuda") &&
         (place.function.starts_with("cuda") || place.function.starts_with("__cuda"));
}

}  // namespace

bool Violation::same_way(const Violation& other) const noexcept {
  return function == other.function && system_call == other.system_call && depth == other.depth &&
         std::equal(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(depth), other.stack.begin());
}

std::string call_of(const Violation& violation) {
  if (violation.function != nullptr) return violation.function;
  for (const auto& [number, name] : kNames)
    if (number == violation.system_call) return "system call " + std::string(name);
  return "system call " + std::to_string(violation.system_call);
}

bool is_of_driver(const Violation& violation, StackSymbols& symbols) {
  const auto stack = std::span(violation.stack).first(violation.depth);
  return std::ranges::any_of(stack, [&](const void* pc) { return is_driver_frame(symbols.at(pc)); });
}

std::string describe(const Violation& violation, StackSymbols& symbols) {
  std::string text = call_of(violation) + ", " + std::to_string(violation.times) + " time" +
                     (violation.times == 1 ? "" : "s") + ", called by\n";
  for (const void* pc : std::span(violation.stack).first(violation.depth)) {
    const StackSymbols::Place place = symbols.at(pc);
    text += "    " + (place.function.empty() ? "?" : place.function) + "  [" + place.file + "]\n";
    if (place.function == "main" || place.function.starts_with("testing::Test::Run()")) break;
  }
  return text;
}

}  // namespace ringwave::realtime
