// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringwave::ring {

/// A full fence of every running thread of the process, made by this one: where two sides each write a word
/// and then read the other's, the side that does it often needs no fence of its own, only the compiler's
/// order. Some microseconds. [any]
void far_fence() noexcept;

}  // namespace ringwave::ring
