// SPDX-License-Identifier: Apache-2.0
// Any bytes are a message or a Refusal. Settings of a message can be played, and what a ping has is JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>

#include "ringwave/music/composer.hpp"
#include "ringwave/stream/client_message.hpp"
#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/settings_json.hpp"

namespace stream = ringwave::stream;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const stream::ClientMessage message =
        stream::parse_client_message({reinterpret_cast<const char*>(data), size});
    if (const auto* change = std::get_if<stream::ChangeMessage>(&message)) {
      const auto settings = stream::settings_from(change->settings, {});
      (void)ringwave::music::Composer(settings, 1).bar(7);
    }
    if (const auto* ping = std::get_if<stream::PingMessage>(&message)) (void)nlohmann::json::parse(ping->id);
  } catch (const stream::Refusal& refusal) {
    if (*refusal.what() == 0) std::abort();
  }
  return 0;
}
