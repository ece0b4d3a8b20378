// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// Two of them measure the way from kernel to kernel by the clock of where they run: the one that is
/// connected to the other passes every request on with the time, and the other answers how many nanoseconds
/// it came.
struct Hop {
  static constexpr const char* kName = "hop";

  RW_HOST_DEVICE void on_message(Context& context, const Message& message) {
    const std::int64_t now = context.now_ns();
    if (context.targets() > 0) {
      context.forward(context.target(0), message.type(), &now, sizeof now);
      return;
    }
    auto sent = message.view<std::int64_t>();
    if (sent.size() != 1) {
      context.refuse();
      return;
    }
    context.reply(now - sent[0]);
  }
};

}  // namespace ringwave::ring
