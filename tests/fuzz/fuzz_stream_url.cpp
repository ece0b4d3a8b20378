// SPDX-License-Identifier: Apache-2.0
// Any text is an address or InvalidArgument, whose sentence is short and printable. An address comes back
// from its own text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/stream/stream_url.hpp"

namespace {

using ringwave::stream::FrameHeader;
using ringwave::stream::StreamUrl;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_text_of(const StreamUrl& url) {
  require(!url.host.empty() && url.port != 0);
  const StreamUrl back = StreamUrl::parse("http://" + url.authority());
  require(back.host == url.host && back.port == url.port);
  if (url.station.empty()) return;
  require(ringwave::stream::is_station_id(url.station));
  require(StreamUrl::parse(url.authority() + url.socket_target(FrameHeader::Codec::opus)).station ==
          url.station);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check_text_of(StreamUrl::parse({reinterpret_cast<const char*>(data), size}));
  } catch (const ringwave::InvalidArgument& refused) {
    const std::string_view sentence = refused.what();
    require(sentence.size() < 600);
    require(std::ranges::none_of(sentence, [](char letter) { return letter >= 0 && letter < ' '; }));
  }
  return 0;
}
