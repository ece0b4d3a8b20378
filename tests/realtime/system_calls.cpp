// SPDX-License-Identifier: Apache-2.0
#include "tests/realtime/system_calls.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "tests/realtime/guard.hpp"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#define PR_SYS_DISPATCH_ON 1
#define SYSCALL_DISPATCH_FILTER_ALLOW 0
#define SYSCALL_DISPATCH_FILTER_BLOCK 1
#endif

namespace ringwave::realtime {
namespace {

// The kernel reads it at every system call of the thread.
constinit thread_local volatile unsigned char selector = SYSCALL_DISPATCH_FILTER_ALLOW;

#if defined(__x86_64__)

/// As the kernel writes it; the C library hides the restorer.
struct KernelSigaction {
  void* handler;
  unsigned long flags;
  void* restorer;
  std::uint64_t mask;
};

std::uint64_t make_call(const greg_t* registers, long number) noexcept {
  std::int64_t result = number;
  register auto r10 asm("r10") = registers[REG_R10];
  register auto r8 asm("r8") = registers[REG_R8];
  register auto r9 asm("r9") = registers[REG_R9];
  asm volatile("syscall"
               : "+a"(result)
               : "D"(registers[REG_RDI]), "S"(registers[REG_RSI]), "d"(registers[REG_RDX]), "r"(r10), "r"(r8),
                 "r"(r9)
               : "rcx", "r11", "memory");
  return static_cast<std::uint64_t>(result);
}

/// Calls that act on the very context that makes them: made from a handler they would act on the handler.
bool needs_its_own_context(long number) noexcept {
  switch (number) {
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_rt_sigprocmask:
    case SYS_rt_sigreturn:
    case SYS_sigaltstack:
      return true;
    default:
      return false;
  }
}

void on_system_call(int /*signal*/, siginfo_t* info, void* context) {
  selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const long number = info->si_syscall;
  record_system_call(number, reinterpret_cast<void*>(registers[REG_RIP]));
  if (needs_its_own_context(number)) {
    // Goes back to the instruction, which now passes. The rest of the scope is not watched for system calls:
    // it has failed anyway.
    constexpr greg_t kInstructionBytes = 2;
    registers[REG_RAX] = number;
    registers[REG_RIP] -= kInstructionBytes;
    return;
  }
  registers[REG_RAX] = static_cast<greg_t>(make_call(registers, number));
  selector = SYSCALL_DISPATCH_FILTER_BLOCK;
}

/// Installs the handler; returns where its return makes the one system call that must always pass.
void* install_handler() {
  struct sigaction action {};
  action.sa_sigaction = on_system_call;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSYS, &action, nullptr) != 0) return nullptr;
  KernelSigaction installed{};
  if (syscall(SYS_rt_sigaction, SIGSYS, nullptr, &installed, sizeof installed.mask) != 0) return nullptr;
  return installed.restorer;
}

bool switch_on() {
  static void* const restorer = install_handler();
  constexpr unsigned long kRestorerBytes = 16;  // mov $15, %rax; syscall
  return restorer != nullptr &&
         prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, restorer, kRestorerBytes, &selector) == 0;
}

#else

bool switch_on() {
  errno = ENOSYS;
  return false;
}

#endif

}  // namespace

std::string why_no_system_call_watch() {
  static const std::string reason = [] {
    if (!switch_on())
      return "the kernel does not offer Syscall User Dispatch here: " + std::string(std::strerror(errno));
    close_system_call_watch();
    return std::string();
  }();
  return reason;
}

void open_system_call_watch() {
  if (why_no_system_call_watch().empty()) (void)switch_on();
}

void close_system_call_watch() noexcept {
  (void)prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
}

void block_system_calls(bool blocked) noexcept {
  selector = blocked ? SYSCALL_DISPATCH_FILTER_BLOCK : SYSCALL_DISPATCH_FILTER_ALLOW;
}

}  // namespace ringwave::realtime
