// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// Answers every request with its own payload, and sends what is no request back to the host: what benches
/// and first tries need.
struct Echo {
  static constexpr const char* kName = "echo";

  RW_HOST_DEVICE void on_message(Context& context, const Message& message) {
    if (message.is_request())
      context.reply(message.data(), message.bytes(), message.type());
    else
      context.emit(message.type(), message.data(), message.bytes());
  }
};

}  // namespace ringwave::ring
