// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/station_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/read_file.hpp"
#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/settings_json.hpp"

namespace ringwave::stream {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kLargestBytes = std::size_t{256} << 20U;
constexpr std::int64_t kMostTime = std::int64_t{1} << 53U;
constexpr std::size_t kMostPhrases = 1024;

std::int64_t whole_number(const json& object, const char* name) {
  const json& value = object.at(name);
  if (!value.is_number_integer())
    throw Refusal(RefusalCode::wrong_type, std::string(name) + " is no whole number");
  const auto number = value.get<std::int64_t>();
  if (number < 0 || number > kMostTime)
    throw Refusal(RefusalCode::out_of_range, std::string(name) + " is out of range");
  return number;
}

Phrase phrase_from(const json& object) {
  Phrase made{.number = whole_number(object, "number"),
              .begins_at = whole_number(object, "begins_at"),
              .ends_at = whole_number(object, "ends_at"),
              .settings = settings_from(object.at("settings"), {})};
  if (made.ends_at <= made.begins_at)
    throw Refusal(RefusalCode::out_of_range, "a phrase ends before it begins");
  return made;
}

/// Visible letters of ASCII, or nothing where there is no such member.
std::string word_from(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  std::string text = text_from(*found, name);
  if (!std::ranges::all_of(text, [](char letter) { return letter > ' ' && letter <= '~'; }))
    throw Refusal(RefusalCode::out_of_range, std::string(name) + " has letters that it cannot have");
  return text;
}

/// Files of earlier programs have none of these members: such a station is nobody's.
StationOwner owner_from(const json& object) {
  StationOwner made{.secret_hash = word_from(object, "owner"), .address = word_from(object, "made_from")};
  if (const auto kept = object.find("is_kept"); kept != object.end()) {
    if (!kept->is_boolean()) throw Refusal(RefusalCode::wrong_type, "is_kept is neither true nor false");
    made.is_kept = kept->get<bool>();
  }
  return made;
}

StationRecord station_from(const json& object) {
  StationRecord made{.id = text_from(object.at("id"), "id"),
                     .seed = seed_from(object.at("seed")),
                     .preset = text_from(object.at("preset"), "preset"),
                     .settings = settings_from(object.at("settings"), {}),
                     .sample_time = whole_number(object, "sample_time"),
                     .phrases = {},
                     .owner = owner_from(object),
                     .heard_at = object.contains("heard_at") ? whole_number(object, "heard_at") : 0};
  if (!is_identifier(made.id)) throw Refusal(RefusalCode::out_of_range, "'" + made.id + "' is no identifier");
  const json& phrases = object.at("phrases");
  if (!phrases.is_array() || phrases.size() > kMostPhrases)
    throw Refusal(RefusalCode::wrong_type, "phrases is no list");
  for (const json& phrase : phrases) made.phrases.push_back(phrase_from(phrase));
  if (!std::ranges::is_sorted(made.phrases, {}, &Phrase::begins_at))
    throw Refusal(RefusalCode::out_of_range, "phrases are not in order");
  return made;
}

json record_json(const StationRecord& station) {
  json phrases = json::array();
  const Phrase* at = phrase_at(station.phrases, station.sample_time);
  for (const Phrase& phrase : station.phrases)
    if (at == nullptr || &phrase >= at)
      phrases.push_back({{"number", phrase.number},
                         {"begins_at", phrase.begins_at},
                         {"ends_at", phrase.ends_at},
                         {"settings", to_json(phrase.settings)}});
  return {{"id", station.id},
          {"seed", station.seed},
          {"preset", station.preset},
          {"settings", to_json(station.settings)},
          {"sample_time", station.sample_time},
          {"phrases", std::move(phrases)},
          {"owner", station.owner.secret_hash},
          {"made_from", station.owner.address},
          {"is_kept", station.owner.is_kept},
          {"heard_at", station.heard_at}};
}

}  // namespace

bool is_identifier(std::string_view text) noexcept {
  return !text.empty() && text.size() <= 32 && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
  });
}

std::vector<StationRecord> stations_from(std::string_view text, const std::string& name) {
  try {
    const json file = parse_object(text, kLargestBytes);
    if (whole_number(file, "version") != kVersion)
      throw Refusal(RefusalCode::unsupported, "it is of another version of Ringwave");
    std::vector<StationRecord> stations;
    for (const json& station : file.at("stations")) stations.push_back(station_from(station));
    return stations;
  } catch (const Refusal& refusal) {
    throw BadFile(name + " does not hold stations: " + refusal.what());
  } catch (const json::exception&) {
    throw BadFile(name + " does not hold stations: something is missing");
  }
}

std::vector<StationRecord> load_stations(const std::filesystem::path& path) {
  return stations_from(read_file(path, kLargestBytes + 1, ReadFrom::own_file), path.string());
}

void save_stations(const std::filesystem::path& path, const std::vector<StationRecord>& stations) {
  AtomicFile file(path.string(), AtomicFile::Kind::state);
  file.stream() << "{\"version\": " << kVersion << ", \"stations\": [";
  const char* comma = "\n";
  for (const StationRecord& station : stations) {
    file.stream() << comma << record_json(station).dump();
    comma = ",\n";
  }
  file.stream() << "\n]}\n";
  file.commit();
}

}  // namespace ringwave::stream
