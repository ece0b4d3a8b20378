// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>

namespace ringwave::io {

/// Waits until the descriptor can be read (POLLIN) or written (POLLOUT). Throws Interrupted once `stop` is
/// set; it may be null. [setup]
void wait_for(int descriptor, short events, const std::string& name, const std::atomic<bool>* stop);

/// Writes everything, however slow the reader at the other end of a pipe. Throws BadFile that says why, and
/// Interrupted. [setup]
void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& name,
               const std::atomic<bool>* stop);

}  // namespace ringwave::io
