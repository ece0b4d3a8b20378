// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ringwave {

/// What audio code answers instead of throwing. Whatever the status, the output block is whole: on anything
/// but `ok` it is silence.
enum class Status : unsigned char {
  ok,
  busy,         ///< the queue is full; nothing was submitted
  wrong_shape,  ///< channels or frames differ from what was prepared
  device_lost,  ///< the device failed; prepare again, on another one
  late,         ///< no answer came before the deadline; the block is lost
  not_running,  ///< what processes it has ended or failed
};

/// The status as a word for messages and metrics. [any]
[[nodiscard]] constexpr std::string_view to_string(Status status) noexcept {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::busy:
      return "busy";
    case Status::wrong_shape:
      return "wrong shape";
    case Status::device_lost:
      return "device lost";
    case Status::late:
      return "late";
    case Status::not_running:
      return "not running";
  }
  return "unknown";
}

}  // namespace ringwave
