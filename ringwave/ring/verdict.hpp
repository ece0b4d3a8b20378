// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/ring/delivery.hpp"
#include "ringwave/ring/message.hpp"
#include "ringwave/ring/reply_desk.hpp"

namespace ringwave::ring {

/// The answer to a request that says only what became of it. [any]
[[nodiscard]] inline MessageHead verdict_on(const MessageHead& request, Delivery delivery) noexcept {
  MessageHead head;
  head.correlation = request.correlation;
  head.type = static_cast<std::uint32_t>(delivery);
  head.flags = MessageHead::kVerdict;
  return head;
}

/// Tells whoever waits for the answer to that message what became of it; of a message that is no request
/// nobody. [any]
inline void tell_verdict(ReplyDesk& desk, const MessageHead& message, Delivery delivery) noexcept {
  if ((message.flags & MessageHead::kRequest) != 0)
    desk.answer(message.correlation, verdict_on(message, delivery), nullptr);
}

/// The same of a message that a lost device may have answered: then the slot may be another request's by now.
/// [any]
inline void tell_verdict_again(ReplyDesk& desk, const MessageHead& message, Delivery delivery) noexcept {
  if ((message.flags & MessageHead::kRequest) != 0)
    desk.answer_again(message.correlation, verdict_on(message, delivery));
}

}  // namespace ringwave::ring
