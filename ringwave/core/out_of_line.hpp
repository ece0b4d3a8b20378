// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks a function that a GPU calls instead of inlining it, so that its registers are its own: a part of a
/// handler that computes for long.
#if defined(__CUDACC__)
#define RW_OUT_OF_LINE __noinline__
#else
#define RW_OUT_OF_LINE
#endif
