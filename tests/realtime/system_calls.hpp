// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// Catches every system call of one thread, an inlined one too, by the kernel's Syscall User Dispatch (Linux
/// 5.11, x86-64): while the thread's switch says so, a system call becomes a signal, whose handler records it
/// and makes the call itself.
namespace ringwave::realtime {

/// Why system calls cannot be caught on this machine; empty where they can.
[[nodiscard]] std::string why_no_system_call_watch();

/// Prepares the calling thread; calls go through until block_system_calls(true).
void open_system_call_watch();
void close_system_call_watch() noexcept;

/// The thread's switch. No effect where calls cannot be caught.
void block_system_calls(bool blocked) noexcept;

}  // namespace ringwave::realtime
