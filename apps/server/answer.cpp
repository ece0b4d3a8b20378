// SPDX-License-Identifier: Apache-2.0
#include "apps/server/answer.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

namespace ringwave::server {

using stream::RefusalCode;

Answer json_answer(const nlohmann::json& value, int status) {
  Answer answer;
  answer.status = status;
  // A text that came in is UTF-8; where it is not, a mark stands for it instead of an error.
  answer.body = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  answer.headers.emplace_back("Cache-Control", "no-store");
  return answer;
}

Answer empty_answer() {
  Answer answer;
  answer.status = 204;
  answer.content_type.clear();
  return answer;
}

int status_of(RefusalCode code) noexcept {
  switch (code) {
    case RefusalCode::bad_json:
    case RefusalCode::unknown_type:
    case RefusalCode::unknown_member:
    case RefusalCode::wrong_type:
    case RefusalCode::out_of_range:
    case RefusalCode::unknown_name:
    case RefusalCode::unsupported:
      return 400;
    case RefusalCode::unauthorized:
      return 401;
    case RefusalCode::forbidden:
      return 403;
    case RefusalCode::not_found:
      return 404;
    case RefusalCode::exists:
      return 409;
    case RefusalCode::gone:
      return 410;
    case RefusalCode::too_large:
      return 413;
    case RefusalCode::rate_limited:
      return 429;
    case RefusalCode::limit_reached:
    case RefusalCode::overloaded:
      return 503;
    case RefusalCode::internal:
      break;
  }
  return 500;
}

Answer refusal_answer(RefusalCode code, const std::string& message, int status) {
  const nlohmann::json error{{"code", to_string(code)}, {"message", message}};
  Answer answer = json_answer({{"error", error}}, status != 0 ? status : status_of(code));
  answer.refused = code;
  if (answer.status == 401) answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (answer.status == 429) answer.headers.emplace_back("Retry-After", "1");
  if (answer.status == 503) answer.headers.emplace_back("Retry-After", "5");
  return answer;
}

std::vector<std::pair<std::string_view, std::string>> common_headers(bool may_embed) {
  return {
      {"Date", http_date(std::chrono::system_clock::now())},
      {"Content-Security-Policy",
       "default-src 'self'; connect-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src "
       "'self'; "
       "worker-src 'self'; media-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action "
       "'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", may_embed ? "cross-origin" : "same-origin"},
  };
}

/// By hand, because the words of HTTP are English whatever the locale.
std::string http_date(std::chrono::system_clock::time_point time) {
  static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                   kDays.at(static_cast<std::size_t>(parts.tm_wday)), parts.tm_mday,
                                   kMonths.at(static_cast<std::size_t>(parts.tm_mon)), parts.tm_year + 1900,
                                   parts.tm_hour, parts.tm_min, parts.tm_sec);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace ringwave::server
