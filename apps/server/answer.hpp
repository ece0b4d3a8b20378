// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {

/// What a client gets.
struct Answer {
  int status = 200;
  std::string content_type = "application/json";
  std::string body{};
  std::filesystem::path file{};  ///< the body, where it is not empty
  std::vector<std::pair<std::string, std::string>> headers{};
  std::optional<stream::RefusalCode> refused{};  ///< for the counters
};

/// [server]
[[nodiscard]] Answer json_answer(const nlohmann::json& value, int status = 200);
/// 204: done, and nothing to say. [server]
[[nodiscard]] Answer empty_answer();

/// The status of HTTP that a refusal has. [any]
[[nodiscard]] int status_of(stream::RefusalCode code) noexcept;
/// {"error": {"code", "message"}}; with the status of the code, or one that says it better. [server]
[[nodiscard]] Answer refusal_answer(stream::RefusalCode code, const std::string& message, int status = 0);

/// What every answer has: the time, and for browsers that nothing of this is run, framed or guessed
/// elsewhere, nor embedded, unless `may_embed`. [any]
[[nodiscard]] std::vector<std::pair<std::string_view, std::string>> common_headers(bool may_embed);

/// A time as HTTP writes it: "Sun, 06 Nov 1994 08:49:37 GMT". [any]
[[nodiscard]] std::string http_date(std::chrono::system_clock::time_point time);

}  // namespace ringwave::server
