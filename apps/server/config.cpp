// SPDX-License-Identifier: Apache-2.0
#include "apps/server/config.hpp"

#include <cstdlib>

#include "apps/server/address.hpp"
#include "apps/server/log.hpp"
#include "apps/server/origin.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/io/icecast_output.hpp"
#include "ringwave/stream/station_record.hpp"

namespace ringwave::server {
namespace {

constexpr std::size_t kLeastTokenLetters = 16;

/// A folder that the environment names by an absolute path; others are not to be used, says the XDG.
std::filesystem::path folder_of(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
}

void require_token(const std::string& token) {
  if (token.size() < kLeastTokenLetters)
    throw InvalidArgument("a token has " + std::to_string(token.size()) +
                          " letters, which can be guessed; use " + std::to_string(kLeastTokenLetters) +
                          " or more, as `openssl rand -hex 16` makes them");
  for (const char letter : token)
    if (letter <= ' ' || letter > '~')
      throw InvalidArgument("a token has a letter that is no visible one of ASCII; use letters and digits");
}

}  // namespace

std::filesystem::path default_data_folder() {
  if (const auto state = folder_of("XDG_STATE_HOME"); !state.empty()) return state / "ringwave";
  if (const auto home = folder_of("HOME"); !home.empty()) return home / ".local/state/ringwave";
  throw InvalidArgument("there is no home folder to keep stations in; name a folder with --data");
}

void complete(ServerConfig& config) {
  if (config.data_folder.empty()) config.data_folder = default_data_folder().string();
  if (!Address::from_text(config.host))
    throw InvalidArgument(
        "the host is '" + config.host +
        "', which is no address of a machine; use 127.0.0.1, ::1, 0.0.0.0 for all, or one of its own");
  for (const std::string& token : config.tokens) require_token(token);
  for (const std::string& origin : config.allowed_origins)
    if (!Origin::from_text(origin))
      throw InvalidArgument("'" + origin +
                            "' is no origin; use one like https://radio.example, without a path");
  (void)log_level_of_name(config.log_level);
  if (!config.icecast.empty()) (void)io::IcecastAddress::parse(config.icecast);
  if (!stream::is_identifier(config.icecast_station))
    throw InvalidArgument("icecast_station is '" + config.icecast_station +
                          "'; use 1 to 32 letters, digits, - and _");
}

}  // namespace ringwave::server
