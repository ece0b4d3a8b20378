// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ringwave::ring {

/// What became of a message, or of the wait for one. Ring code answers with it instead of throwing.
enum class Delivery : std::uint8_t {
  ok,
  empty,           ///< there is nothing to receive
  full,            ///< the queue has no room, and its kernel's policy is to say so
  dropped,         ///< given up by the kernel's policy: this one, or to make room for a newer one
  expired,         ///< its deadline passed before it was handled; the dead letters have it, if they had room
  timed_out,       ///< the caller's own wait ended; what was sent may still be handled
  duplicate,       ///< its id came a short while ago, and was handled or had expired
  unanswered,      ///< the handler returned without a reply
  not_running,     ///< the kernel was not launched yet, or has ended
  failed,          ///< the kernel failed; Kernel::failure() has the reason
  too_large,       ///< the payload is longer than the kernel was made for
  unknown_target,  ///< there is no such kernel, or it has ended
  unknown_type,    ///< the handler knows no message of this type
  forked,          ///< the process was forked; make a Runtime in the child
};

/// The outcome in words, for messages and metrics. [any]
[[nodiscard]] constexpr std::string_view to_string(Delivery delivery) noexcept {
  constexpr std::string_view kWords[] = {
      "ok",         "empty",       "full",   "dropped",   "expired",        "timed out",    "duplicate",
      "unanswered", "not running", "failed", "too large", "unknown target", "unknown type", "forked",
  };
  return kWords[static_cast<std::size_t>(delivery)];
}

}  // namespace ringwave::ring
