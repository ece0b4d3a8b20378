// SPDX-License-Identifier: Apache-2.0
#include "apps/server/log.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "apps/server/log_text.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

std::string time_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), length};
}

/// In one write, so that lines of several threads do not mix.
void write_line(const std::string& sentence) {
  const std::string line = time_text() + " " + printable(sentence) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

LogLevel log_level_of_name(std::string_view name) {
  if (name == "quiet") return LogLevel::quiet;
  if (name == "info") return LogLevel::info;
  if (name == "debug") return LogLevel::debug;
  throw InvalidArgument("the level of the log is '" + std::string(name) + "'; use quiet, info or debug");
}

void Log::warn(const std::string& sentence) const {
  write_line(sentence);
}

void Log::say(const std::string& sentence) const {
  if (level_ >= LogLevel::info) write_line(sentence);
}

void Log::detail(const std::string& sentence) const {
  if (level_ >= LogLevel::debug) write_line(sentence);
}

}  // namespace ringwave::server
