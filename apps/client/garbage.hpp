// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

namespace ringwave::client {

/// What no server can want, another kind each time: bytes at random, requests that are torn, endless or of an
/// impossible size, JSON that is none. [any]
[[nodiscard]] std::string garbage_for_http(std::minstd_rand& chance);
/// The same for a WebSocket that is open: frames without a mask, of unknown kinds and impossible lengths,
/// half frames, texts that are no UTF-8 or no JSON, settings that cannot be. [any]
[[nodiscard]] std::string garbage_for_socket(std::minstd_rand& chance);

/// The beginning of a request, to be sent a letter at a time. [any]
[[nodiscard]] std::string slow_head();
/// A WebSocket's close, as a client should send it. [any]
[[nodiscard]] std::string goodbye_frame();

}  // namespace ringwave::client
