// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringwave::cli {

/// `ringwave ring top`: what the ring kernels of the user's running processes do, again and again, until
/// Ctrl-C, q, or it was shown `count` times; 0: without an end. On a terminal each table takes the place of
/// the one before; elsewhere their rows follow each other. [setup]
void watch_kernels(double interval_seconds, int count);

}  // namespace ringwave::cli
