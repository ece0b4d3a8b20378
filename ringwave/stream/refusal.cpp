// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/refusal.hpp"

namespace ringwave::stream {

namespace {

std::string without_nul(const std::string& message) {
  std::string made;
  for (const char letter : message) letter == '\0' ? made.append("\\0") : made.append(1, letter);
  return made;
}

}  // namespace

Refusal::Refusal(RefusalCode code, const std::string& message) : Error(without_nul(message)), code_(code) {}

std::string_view to_string(RefusalCode code) noexcept {
  switch (code) {
    case RefusalCode::bad_json:
      return "bad_json";
    case RefusalCode::unknown_type:
      return "unknown_type";
    case RefusalCode::unknown_member:
      return "unknown_member";
    case RefusalCode::wrong_type:
      return "wrong_type";
    case RefusalCode::out_of_range:
      return "out_of_range";
    case RefusalCode::unknown_name:
      return "unknown_name";
    case RefusalCode::not_found:
      return "not_found";
    case RefusalCode::exists:
      return "exists";
    case RefusalCode::forbidden:
      return "forbidden";
    case RefusalCode::unauthorized:
      return "unauthorized";
    case RefusalCode::too_large:
      return "too_large";
    case RefusalCode::rate_limited:
      return "rate_limited";
    case RefusalCode::limit_reached:
      return "limit_reached";
    case RefusalCode::overloaded:
      return "overloaded";
    case RefusalCode::unsupported:
      return "unsupported";
    case RefusalCode::gone:
      return "gone";
    case RefusalCode::internal:
      break;
  }
  return "internal";
}

}  // namespace ringwave::stream
