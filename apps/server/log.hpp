// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ringwave::server {

enum class LogLevel : unsigned char { quiet, info, debug };

/// Throws InvalidArgument that lists the names. [setup]
[[nodiscard]] LogLevel log_level_of_name(std::string_view name);

/// Plain sentences on standard error, each with its time. What clients send cannot make a line of its own.
class Log {
 public:
  explicit Log(LogLevel level) noexcept : level_(level) {}

  /// What a person must know, at every level. [any]
  void warn(const std::string& sentence) const;
  /// What a person likes to know. [any]
  void say(const std::string& sentence) const;
  /// What somebody wants to know who looks for a fault: each request. [any]
  void detail(const std::string& sentence) const;
  [[nodiscard]] bool has_details() const noexcept { return level_ == LogLevel::debug; }

 private:
  LogLevel level_;
};

}  // namespace ringwave::server
