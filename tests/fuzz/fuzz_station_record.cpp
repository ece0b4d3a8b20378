// SPDX-License-Identifier: Apache-2.0
// Any text is a list of stations or BadFile; each of them can go on.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/music/conductor.hpp"
#include "ringwave/stream/station_record.hpp"

namespace stream = ringwave::stream;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const stream::StationRecord& record :
         stream::stations_from({reinterpret_cast<const char*>(data), size}, "fuzz")) {
      if (!stream::is_identifier(record.id)) std::abort();
      if (const stream::Phrase* at = phrase_at(record.phrases, record.sample_time))
        (void)ringwave::music::Conductor(at->settings, record.seed, 48000, {at->number, at->begins_at})
            .next_phrase();
    }
  } catch (const ringwave::BadFile&) {
    return 0;
  }
  return 0;
}
