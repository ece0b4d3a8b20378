// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "ringwave/music/settings.hpp"

namespace ringwave::stream {

/// A JSON object of at most so many bytes, without members of the same name. Throws Refusal: too_large,
/// bad_json with the place of the fault, wrong_type where it is no object. [server]
[[nodiscard]] nlohmann::json parse_object(std::string_view text, std::size_t most_bytes);

/// {"key": "D", "mode": "dorian", "bpm": 60, …, "layers": ["pads", …]}. [server]
[[nodiscard]] nlohmann::json to_json(const music::Settings& settings);

/// `base` with what the object has in its place. Throws Refusal that names the member: unknown_member,
/// wrong_type, out_of_range, unknown_name. [server]
[[nodiscard]] music::Settings settings_from(const nlohmann::json& object, music::Settings base);

/// A whole number from 0 to 2^53 - 1. Throws Refusal. [server]
[[nodiscard]] std::uint64_t seed_from(const nlohmann::json& value);

/// A text member of at most 64 bytes, none of them NUL. Throws Refusal. [server]
[[nodiscard]] std::string text_from(const nlohmann::json& value, std::string_view name);

}  // namespace ringwave::stream
