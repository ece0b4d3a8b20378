// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ringwave/stream/stream_url.hpp"

namespace ringwave::client {

struct HttpAnswer {
  unsigned status = 0;
  std::string body;
};

struct HttpQuestion {
  std::string method;
  std::string target;
  std::string body = {};    ///< JSON; empty: none
  std::string secret = {};  ///< of the station that it is about; empty: none
};

/// One request over a connection of its own, and its answer, whatever its status. Throws DeviceUnavailable
/// where the server is not reached or does not answer within ten seconds. [setup]
[[nodiscard]] HttpAnswer http_request(const stream::StreamUrl& server, const HttpQuestion& question);

/// The sentence of an answer that is an error: the server's own, as far as it is printable. [setup]
[[nodiscard]] std::string sentence_of(const HttpAnswer& answer);

}  // namespace ringwave::client
