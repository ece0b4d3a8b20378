// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "ringwave/core/host_device.hpp"
#include "ringwave/ring/context.hpp"

namespace ringwave::live {

/// Samples as a device moves them best.
struct alignas(16) Quad {
  float at[4];
};

/// Copies `count` samples by all lanes; on a device both sides are aligned to 16 bytes. Each lane asks for
/// several quads before it stores the first: a block that lies in the host's memory comes over the bus in
/// one trip. [ring]
RW_HOST_DEVICE inline void copy_samples(const ring::Context& context, float* to, const float* from,
                                        int count) {
#if defined(__CUDA_ARCH__)
  constexpr int kAtOnce = 4;
  const int quads = count / 4;
  for (int first = context.lane(); first < quads; first += kAtOnce * context.lanes()) {
    Quad held[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i)
      if (const int quad = first + i * context.lanes(); quad < quads)
        held[i] = reinterpret_cast<const Quad*>(from)[quad];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i)
      if (const int quad = first + i * context.lanes(); quad < quads)
        reinterpret_cast<Quad*>(to)[quad] = held[i];
  }
  for (int i = 4 * quads + context.lane(); i < count; i += context.lanes()) to[i] = from[i];
#else
  static_cast<void>(context);
  std::copy_n(from, count, to);
#endif
}

/// Answers with `count` samples; the lanes have written them all. [ring]
RW_HOST_DEVICE inline void reply_samples(ring::Context& context, const float* samples, int count) {
  context.sync();
  const auto out = context.reply_view<float>(static_cast<std::size_t>(count));
  if (out.empty()) return;
  copy_samples(context, out.data(), samples, count);
  context.send_reply();
}

}  // namespace ringwave::live
