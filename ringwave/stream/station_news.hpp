// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ringwave/music/conductor.hpp"
#include "ringwave/music/settings.hpp"
#include "ringwave/stream/packet.hpp"
#include "ringwave/stream/phrase.hpp"

namespace ringwave::stream {

/// The text messages that all who hear a station get. [server]
[[nodiscard]] std::string phrase_text(const Phrase& phrase, std::span<const music::TimedNote> notes);
[[nodiscard]] std::string settings_text(const music::Settings& settings, const std::string& preset,
                                        std::int64_t applies_at, double applies_in_seconds);

/// Such a text for a station's news: about what begins at a sample time. [server]
[[nodiscard]] Packet news_packet(std::int64_t sample_time, std::string_view text);

}  // namespace ringwave::stream
