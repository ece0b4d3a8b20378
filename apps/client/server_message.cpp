// SPDX-License-Identifier: Apache-2.0
#include "apps/client/server_message.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& message, const char* member) {
  const auto found = message.find(member);
  return found != message.end() && found->is_string() ? printable(found->get<std::string>()) : "";
}

double number_of(const Json& message, const char* member, double otherwise, double least, double most) {
  const auto found = message.find(member);
  return found != message.end() && found->is_number() ? std::clamp(found->get<double>(), least, most)
                                                      : otherwise;
}

double target_of(const Json& message) {
  return number_of(message, "target_seconds", 0.5, 0, 10);
}

void take_error(const Json& message, StreamEvents& events) {
  const std::string sentence = "the server says: " + text_of(message, "message");
  const auto recoverable = message.find("recoverable");
  if (recoverable != message.end() && recoverable->is_boolean() && !recoverable->get<bool>())
    throw DeviceUnavailable(sentence);
  events.say(sentence);
}

}  // namespace

void take_server_message(std::string_view text, StreamEvents& events) {
  const Json message = Json::parse(text, nullptr, false);
  if (!message.is_object()) return;
  const std::string type = text_of(message, "type");
  if (type == "hello") {
    constexpr double kMostFrames = 5760;  // 120 ms, Opus's longest
    events.greeted({.version = text_of(message, "version"),
                    .target_seconds = target_of(message),
                    .frame_frames =
                        static_cast<std::uint32_t>(number_of(message, "frame_frames", 960, 1, kMostFrames))});
  } else if (type == "buffer") {
    events.set_target(target_of(message));
  } else if (type == "warning") {
    events.say("the server warns: " + text_of(message, "message"));
  } else if (type == "error") {
    take_error(message, events);
  } else if (type == "shutdown") {
    events.say("the server goes");
  }
}

std::string report_text(const stream::BufferControl::Report& report) {
  return Json{{"type", "buffer"},
              {"depth_seconds", report.depth_seconds},
              {"jitter_ms", report.jitter_ms},
              {"underruns", report.underruns}}
      .dump();
}

std::string printable(std::string text) {
  constexpr std::size_t kMostShown = 300;
  if (text.size() > kMostShown) text.resize(kMostShown);
  std::ranges::replace_if(
      text, [](char letter) { return (letter >= 0 && letter < ' ') || letter == '\x7f'; }, ' ');
  return text;
}

}  // namespace ringwave::client
