// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ringwave/music/settings.hpp"
#include "ringwave/stream/phrase.hpp"
#include "ringwave/stream/station_owner.hpp"

namespace ringwave::stream {

/// All that a station is while it does not play: enough to go on where it was.
struct StationRecord {
  std::string id;
  std::uint64_t seed = 0;
  std::string preset{};
  music::Settings settings{};  ///< that were asked for last
  std::int64_t sample_time = 0;
  std::vector<Phrase> phrases{};  ///< the last ones, in order: the one that sounds at sample_time among them
  StationOwner owner{};
  std::int64_t heard_at = 0;  ///< when somebody heard it last, or it was made: Unix time; 0: not known
};

/// 1 to 32 letters, digits, - and _. [any]
[[nodiscard]] bool is_identifier(std::string_view text) noexcept;

/// The stations of a file. Throws BadFile for one that is torn, foreign or too large. [setup]
[[nodiscard]] std::vector<StationRecord> load_stations(const std::filesystem::path& path);
/// From text as the file has it; `name` stands for the file in messages. [setup]
[[nodiscard]] std::vector<StationRecord> stations_from(std::string_view text, const std::string& name);

/// Writes them; the file is whole or as it was. Of the phrases it keeps the one that sounds, and those after
/// it. Throws BadFile. [setup]
void save_stations(const std::filesystem::path& path, const std::vector<StationRecord>& stations);

}  // namespace ringwave::stream
