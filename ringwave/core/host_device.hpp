// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks a function of a *_math.hpp that both twins compile: one formula, two loops.
#if defined(__CUDACC__)
#define RW_HOST_DEVICE __host__ __device__
#else
#define RW_HOST_DEVICE
#endif
