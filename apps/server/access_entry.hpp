// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/server/request.hpp"

namespace ringwave::server {

enum class AccessLogFormat : unsigned char { off, common, json };

/// Throws InvalidArgument that lists the names. [setup]
[[nodiscard]] AccessLogFormat access_log_format_of_name(std::string_view name);

/// A request, and what became of it.
struct AccessEntry {
  using Time = std::chrono::system_clock::time_point;

  Address address{};       ///< of who asked
  Time began{};            ///< when it was asked
  std::string method{};    ///< empty where it could not be read
  std::string target{};    ///< without secrets
  std::string protocol{};  ///< "HTTP/1.1"
  int status = 0;
  std::uint64_t bytes = 0;  ///< of the answer's body
  double seconds = 0;       ///< from the request to the end of the answer; of a stream, all that was listened

  /// What is known when the request has been read. [any]
  [[nodiscard]] static AccessEntry of(const Request& request, Time began);
};

/// One line, without its end, in which nothing that was sent can look like something else. `common` is the
/// format of Apache's and many others' logs, `json` an object. [any]
[[nodiscard]] std::string text_of(const AccessEntry& entry, AccessLogFormat format);

}  // namespace ringwave::server
