// SPDX-License-Identifier: Apache-2.0
// Any bytes are messages or a fault, the same ones however they are cut, and none is larger than allowed. The
// first byte says how many come at once. What is a frame of a stream is received.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "ringwave/stream/frame_header.hpp"
#include "ringwave/stream/reception.hpp"
#include "ringwave/stream/websocket_parser.hpp"

namespace {

using ringwave::stream::DelayHistogram;
using ringwave::stream::FrameHeader;
using ringwave::stream::Reception;
using ringwave::stream::WebSocketParser;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kMost = 1000;

struct Seen {
  std::vector<std::pair<WebSocketParser::Kind, Bytes>> messages = {};
  WebSocketParser::Fault fault = {};

  bool operator==(const Seen&) const = default;
};

Seen parse(std::span<const std::byte> bytes, std::size_t at_once) {
  Seen seen;
  WebSocketParser parser(kMost);
  while (!bytes.empty()) {
    const Bytes read(bytes.begin(), bytes.begin() + static_cast<long>(std::min(at_once, bytes.size())));
    bytes = bytes.subspan(read.size());
    std::span<const std::byte> left(read);
    while (const auto message = parser.next(left)) {
      if (message->payload.size() > kMost) std::abort();
      seen.messages.emplace_back(message->kind, Bytes(message->payload.begin(), message->payload.end()));
    }
    if (!left.empty() && parser.fault() == WebSocketParser::Fault::none && !parser.is_closed()) std::abort();
  }
  seen.fault = parser.fault();
  return seen;
}

void receive(const Seen& seen) {
  DelayHistogram lateness;
  Reception reception(lateness);
  Reception::Time now{};
  for (const auto& [kind, payload] : seen.messages) {
    now += std::chrono::milliseconds(payload.size());
    if (const auto header = FrameHeader::parse(payload))
      reception.receive({.sequence = header->sequence,
                         .sample_time = header->sample_time,
                         .bytes = payload.size(),
                         .is_discontinuous = (header->flags & FrameHeader::kDiscontinuous) != 0,
                         .at = now});
    else
      reception.connect(now);
  }
  reception.finish();
  if (lateness.total() > reception.frames() || reception.depth_seconds(now) < 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size).subspan(1));
  const Seen whole = parse(bytes, size);
  if (parse(bytes, std::max<std::size_t>(1, data[0])) != whole) std::abort();
  receive(whole);
  return 0;
}
