// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/station_news.hpp"

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ringwave/stream/settings_json.hpp"

namespace ringwave::stream {

using nlohmann::json;

std::string phrase_text(const Phrase& phrase, std::span<const music::TimedNote> notes) {
  json list = json::array();
  for (const music::TimedNote& note : notes)
    list.push_back(
        {note.begin_frame, note.end_frame, to_string(note.note.layer), note.note.pitch, note.note.velocity});
  return json{{"type", "phrase"},
              {"phrase", phrase.number},
              {"begins_at", phrase.begins_at},
              {"ends_at", phrase.ends_at},
              {"settings", to_json(phrase.settings)},
              {"notes", std::move(list)}}
      .dump();
}

std::string settings_text(const music::Settings& settings, const std::string& preset, std::int64_t applies_at,
                          double applies_in_seconds) {
  json text{{"type", "settings"},
            {"settings", to_json(settings)},
            {"applies_at", applies_at},
            {"applies_in_seconds", std::round(1000 * applies_in_seconds) / 1000}};
  if (!preset.empty()) text["preset"] = preset;
  return text.dump();
}

Packet news_packet(std::int64_t sample_time, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {.sample_time = sample_time,
          .due = std::chrono::steady_clock::now(),
          .bytes = {bytes.begin(), bytes.end()}};
}

}  // namespace ringwave::stream
