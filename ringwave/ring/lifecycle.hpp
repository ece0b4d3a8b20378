// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ringwave/core/error.hpp"

namespace ringwave::ring {

/// Where a kernel is in its life.
///
///   created → launched → active ⇄ paused → terminating → terminated
///
/// From everywhere but the end it may fail; a failed kernel is launched again, by its restart policy or by
/// hand, or terminated.
enum class State : std::uint8_t {
  created,      ///< all memory is there, nothing runs
  launched,     ///< resident, handles nothing yet; messages queue
  active,       ///< handles messages
  paused,       ///< resident, handles nothing; messages queue
  terminating,  ///< ends after the message in hand
  terminated,   ///< gone; its handle still tells what it did
  failed,       ///< a handler's error, a fault of the device, or a handler that did not return
};

/// [any]
[[nodiscard]] constexpr std::string_view to_string(State state) noexcept {
  constexpr std::string_view kWords[] = {"created",     "launched",   "active", "paused",
                                         "terminating", "terminated", "failed"};
  return kWords[static_cast<std::size_t>(state)];
}

/// True where a kernel may go from one state to the other. [any]
[[nodiscard]] constexpr bool is_legal(State from, State to) noexcept {
  switch (to) {
    case State::created:
      return false;
    case State::launched:
      return from == State::created || from == State::failed;
    case State::active:
      return from == State::launched || from == State::paused;
    case State::paused:
      return from == State::active;
    case State::terminating:
      return from != State::terminating && from != State::terminated;
    case State::terminated:
      return from == State::terminating;
    case State::failed:
      return from != State::created && from != State::terminated && from != State::failed;
  }
  return false;
}

/// Throws InvalidState, which names both states, where a kernel may not go there. [setup]
inline void require_legal(const std::string& kernel, State from, State to) {
  if (is_legal(from, to)) return;
  throw InvalidState("kernel '" + kernel + "' was to go from " + std::string(to_string(from)) + " to " +
                     std::string(to_string(to)) +
                     "; the way is created, launched, active (and paused), terminating, terminated");
}

}  // namespace ringwave::ring
