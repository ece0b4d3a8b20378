// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/client_message.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/settings_json.hpp"

namespace ringwave::stream {
namespace {

using nlohmann::json;

void require_only(const json& message, std::initializer_list<std::string_view> members) {
  for (const auto& [member, value] : message.items())
    if (std::ranges::find(members, member) == members.end())
      throw Refusal(RefusalCode::unknown_member,
                    "'" + member.substr(0, 64) + "' is no member of this message");
}

const json& member_of(const json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end())
    throw Refusal(RefusalCode::wrong_type, "the message has no member '" + std::string(name) + "'");
  return *found;
}

double number_of(const json& message, const char* name, double most) {
  const json& value = member_of(message, name);
  if (!value.is_number()) throw Refusal(RefusalCode::wrong_type, std::string(name) + " is no number");
  const auto number = value.get<double>();
  if (!(number >= 0 && number <= most))
    throw Refusal(RefusalCode::out_of_range, std::string(name) + " is out of range");
  return number;
}

ChangeMessage change_from(json message) {
  message.erase("type");
  (void)settings_from(message, {});  // says what is wrong
  return {std::move(message)};
}

/// A token may be longer than other texts are.
std::string secret_from(const json& message) {
  const json& value = member_of(message, "secret");
  if (!value.is_string()) throw Refusal(RefusalCode::wrong_type, "secret is no text");
  return value.get<std::string>();
}

BufferControl::Report report_from(const json& message) {
  require_only(message, {"type", "depth_seconds", "jitter_ms", "underruns"});
  return {.depth_seconds = number_of(message, "depth_seconds", 3600),
          .jitter_ms = number_of(message, "jitter_ms", 1e6),
          .underruns = static_cast<std::uint64_t>(number_of(message, "underruns", 1e15))};
}

PingMessage ping_from(const json& message) {
  require_only(message, {"type", "id"});
  const auto id = message.find("id");
  if (id == message.end()) return {"null"};
  if (id->is_string()) (void)text_from(*id, "id");
  if (!id->is_string() && !id->is_number())
    throw Refusal(RefusalCode::wrong_type, "id is neither a number nor a text");
  return {id->dump()};
}

}  // namespace

ClientMessage parse_client_message(std::string_view text) {
  json message = parse_object(text, kLargestClientMessage);
  const std::string type = text_from(member_of(message, "type"), "type");
  if (type == "settings") return change_from(std::move(message));
  if (type == "preset") {
    require_only(message, {"type", "name"});
    return PresetMessage{text_from(member_of(message, "name"), "name")};
  }
  if (type == "own") {
    require_only(message, {"type", "secret"});
    return OwnMessage{secret_from(message)};
  }
  if (type == "buffer") return report_from(message);
  if (type == "ping") return ping_from(message);
  throw Refusal(RefusalCode::unknown_type,
                "'" + type + "' is no type of message; use settings, preset, own, buffer or ping");
}

}  // namespace ringwave::stream
