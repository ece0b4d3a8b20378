// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/spun_request.hpp"

#include <cstdint>

#include "ringwave/core/relax.hpp"
#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::live {

ring::Delivery spun_request(const ring::Kernel& kernel, const ring::Outgoing& message, ring::Letter& reply,
                            std::chrono::nanoseconds time) noexcept {
  using ring::Delivery;
  const std::int64_t deadline_ns = ring::ring_deadline_ns(time);
  Delivery delivery{};
  const std::uint64_t request = kernel.begin_request(message, delivery, time);
  if (request == 0) return delivery;
  while ((delivery = kernel.finish_request(request, reply)) == Delivery::empty) {
    if (ring::ring_now_ns() > deadline_ns) {
      kernel.forget_request(request);
      return Delivery::timed_out;
    }
    relax();
  }
  return delivery;
}

}  // namespace ringwave::live
