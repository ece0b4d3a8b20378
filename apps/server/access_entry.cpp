// SPDX-License-Identifier: Apache-2.0
#include "apps/server/access_entry.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "apps/server/answer.hpp"
#include "apps/server/log_text.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

/// Within the quotes of a line.
std::string within_quotes(std::string_view text) {
  std::string made;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') made += '\\';
    made += letter;
  }
  return printable(made);
}

std::string common_text(const AccessEntry& entry) {
  // "Sun, 06 Nov 1994 08:49:37 GMT" has the same parts in another order.
  const std::string date = http_date(entry.began);
  const std::string time =
      date.substr(5, 2) + "/" + date.substr(8, 3) + "/" + date.substr(12, 4) + ":" + date.substr(17, 8);
  const std::string request =
      entry.method.empty() ? "-" : entry.method + " " + entry.target + " " + entry.protocol;
  return entry.address.text() + " - - [" + time + " +0000] \"" + within_quotes(request) + "\" " +
         std::to_string(entry.status) + " " + std::to_string(entry.bytes);
}

std::string json_text(const AccessEntry& entry) {
  const std::time_t began = std::chrono::system_clock::to_time_t(entry.began);
  std::tm parts{};
  gmtime_r(&began, &parts);
  std::array<char, 32> time{};
  const std::size_t length = std::strftime(time.data(), time.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  nlohmann::ordered_json made{{"time", std::string(time.data(), length)}, {"address", entry.address.text()}};
  if (!entry.method.empty()) {
    made["method"] = entry.method;
    made["target"] = entry.target;
    made["protocol"] = entry.protocol;
  }
  made["status"] = entry.status;
  made["bytes"] = entry.bytes;
  made["seconds"] = entry.seconds;
  // ASCII alone: whatever else was sent stands as \uXXXX.
  return made.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

AccessLogFormat access_log_format_of_name(std::string_view name) {
  if (name == "off") return AccessLogFormat::off;
  if (name == "common") return AccessLogFormat::common;
  if (name == "json") return AccessLogFormat::json;
  throw InvalidArgument("the access log is '" + std::string(name) + "'; use off, common or json");
}

AccessEntry AccessEntry::of(const Request& request, Time began) {
  return {.address = request.address,
          .began = began,
          .method = request.method_name,
          .target = without_secrets(request.target),
          .protocol = request.protocol};
}

std::string text_of(const AccessEntry& entry, AccessLogFormat format) {
  if (format == AccessLogFormat::off) return {};
  return format == AccessLogFormat::json ? json_text(entry) : common_text(entry);
}

}  // namespace ringwave::server
