// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/settings_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::stream {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 8;  // deeper than anything of the protocol
constexpr std::size_t kLongestText = 64;
constexpr std::uint64_t kMostSeed = (std::uint64_t{1} << 53U) - 1;  // that every JSON reader holds exactly

[[noreturn]] void refuse(RefusalCode code, std::string_view member, const std::string& found) {
  throw Refusal(code, std::string(member) + " " + found);
}

/// What a name stands for.
template <class Find>
auto named(const json& value, std::string_view member, Find find) {
  const std::string name = text_from(value, member);
  try {
    return find(name);
  } catch (const InvalidArgument& error) {
    throw Refusal(RefusalCode::unknown_name, error.what());
  }
}

/// JSON's names have no hyphens: harmonic_minor is the library's harmonic-minor.
std::string with_underscores(std::string_view name) {
  std::string made(name);
  std::ranges::replace(made, '-', '_');
  return made;
}

music::Mode mode_of_json_name(std::string name) {
  std::ranges::replace(name, '_', '-');
  return music::mode_of_name(name);
}

double number_in(const json& value, std::string_view member, double least, double most) {
  if (!value.is_number()) refuse(RefusalCode::wrong_type, member, "is no number");
  const auto number = value.get<double>();
  if (!(number >= least && number <= most))
    refuse(RefusalCode::out_of_range, member,
           "is " + number_text(number) + "; use " + number_text(least) + " to " + number_text(most));
  return number;
}

music::LayerSet layers_from(const json& value) {
  if (!value.is_array()) refuse(RefusalCode::wrong_type, "layers", "is no list of names");
  music::LayerSet layers;
  if (value.size() > music::kAllLayers.size())
    refuse(RefusalCode::out_of_range, "layers",
           "has " + std::to_string(value.size()) + " names; there are " +
               std::to_string(music::kAllLayers.size()) + " layers");
  for (const json& name : value) layers.set(named(name, "layers", music::layer_of_name), true);
  return layers;
}

}  // namespace

json parse_object(std::string_view text, std::size_t most_bytes) {
  if (text.size() > most_bytes)
    throw Refusal(RefusalCode::too_large, "the message has " + std::to_string(text.size()) +
                                              " bytes; up to " + std::to_string(most_bytes) + " are read");
  std::vector<std::set<std::string>> members;
  const auto check = [&members](int depth, json::parse_event_t event, json& value) {
    if (static_cast<std::size_t>(depth) > kDeepest)
      throw Refusal(RefusalCode::bad_json,
                    "the JSON is nested more than " + std::to_string(kDeepest) + " deep");
    if (event == json::parse_event_t::object_start) members.emplace_back();
    if (event == json::parse_event_t::object_end) members.pop_back();
    if (event == json::parse_event_t::key && !members.back().insert(value.get<std::string>()).second)
      throw Refusal(RefusalCode::bad_json,
                    "the member '" + value.get<std::string>().substr(0, kLongestText) + "' is there twice");
    return true;
  };
  try {
    json parsed = json::parse(text, check);
    if (!parsed.is_object()) throw Refusal(RefusalCode::wrong_type, "a JSON object was expected, {…}");
    return parsed;
  } catch (const json::parse_error& error) {
    throw Refusal(RefusalCode::bad_json,
                  "this is no JSON: there is a fault at byte " + std::to_string(error.byte));
  } catch (const json::exception&) {
    throw Refusal(RefusalCode::bad_json, "this is no JSON that can be read: a number is too large");
  }
}

std::string text_from(const json& value, std::string_view name) {
  if (!value.is_string()) refuse(RefusalCode::wrong_type, name, "is no text");
  auto text = value.get<std::string>();
  if (text.size() > kLongestText)
    refuse(RefusalCode::too_large, name,
           "has " + std::to_string(text.size()) + " bytes; use up to " + std::to_string(kLongestText));
  if (text.find('\0') != std::string::npos) refuse(RefusalCode::out_of_range, name, "has a NUL in it");
  return text;
}

std::uint64_t seed_from(const json& value) {
  if (!value.is_number_integer()) refuse(RefusalCode::wrong_type, "seed", "is no whole number");
  if (!value.is_number_unsigned())
    refuse(RefusalCode::out_of_range, "seed", "is negative; use 0 to 2^53 - 1");
  const auto seed = value.get<std::uint64_t>();
  if (seed > kMostSeed) refuse(RefusalCode::out_of_range, "seed", "is too large; use up to 2^53 - 1");
  return seed;
}

json to_json(const music::Settings& settings) {
  json layers = json::array();
  for (const music::Layer layer : music::kAllLayers)
    if (settings.layers.has(layer)) layers.push_back(to_string(layer));
  return {{"key", music::key_name(settings.key)},
          {"mode", with_underscores(music::to_string(settings.mode))},
          {"bpm", settings.bpm},
          {"intensity", settings.intensity},
          {"melody_complexity", settings.melody_complexity},
          {"progression_variety", settings.progression_variety},
          {"harmonic_density", settings.harmonic_density},
          {"layers", std::move(layers)}};
}

music::Settings settings_from(const json& object, music::Settings base) {
  if (!object.is_object()) throw Refusal(RefusalCode::wrong_type, "settings is no JSON object");
  for (const auto& [member, value] : object.items()) {
    if (member == "key")
      base.key = named(value, member, music::key_of_name);
    else if (member == "mode")
      base.mode = named(value, member, mode_of_json_name);
    else if (member == "bpm")
      base.bpm = number_in(value, member, music::Settings::kLeastBpm, music::Settings::kMostBpm);
    else if (member == "intensity")
      base.intensity = number_in(value, member, 0, 1);
    else if (member == "melody_complexity")
      base.melody_complexity = number_in(value, member, 0, 1);
    else if (member == "progression_variety")
      base.progression_variety = number_in(value, member, 0, 1);
    else if (member == "harmonic_density")
      base.harmonic_density = number_in(value, member, 0, 1);
    else if (member == "layers")
      base.layers = layers_from(value);
    else
      throw Refusal(RefusalCode::unknown_member,
                    "'" + member.substr(0, kLongestText) + "' is no setting; see docs/protocol.md");
  }
  return base;
}

}  // namespace ringwave::stream
