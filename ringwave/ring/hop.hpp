// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// Measures ways by the clock of where it runs. Of two kernels the one that is connected to the other passes
/// every request on with the time, and the other answers how many nanoseconds it came. One kernel of several
/// blocks answers how long the time took from its first block to its last.
struct Hop {
  static constexpr const char* kName = "hop";

  std::int64_t time_ns = 0;  ///< between blocks

  RW_HOST_DEVICE void on_message(Context& context, const Message& message) {
    if (context.blocks() > 1) {
      context.sync();  // all blocks know of the message
      const std::int64_t sent = context.from_first(context.now_ns());
      if (context.lane() == context.lanes() - 1) time_ns = context.now_ns() - sent;
      context.sync();
      context.reply(time_ns);
      return;
    }
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
