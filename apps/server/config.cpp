// SPDX-License-Identifier: Apache-2.0
#include "apps/server/config.hpp"

#include <algorithm>
#include <cstdlib>

#include "apps/server/access_entry.hpp"
#include "apps/server/address.hpp"
#include "apps/server/log.hpp"
#include "apps/server/origin.hpp"
#include "apps/server/token_text.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/io/icecast_output.hpp"
#include "ringwave/stream/station_record.hpp"

namespace ringwave::server {
namespace {

/// A folder that the environment names by an absolute path; others are not to be used, says the XDG.
std::filesystem::path folder_of(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
}

/// Who may use the server would else administer it.
void require_different(const ServerConfig& config) {
  for (const std::string& token : config.admin_tokens)
    if (std::ranges::find(config.tokens, token) != config.tokens.end())
      throw InvalidArgument("a token is in tokens and in admin_tokens; use different ones");
}

}  // namespace

std::filesystem::path default_data_folder() {
  if (const auto state = folder_of("XDG_STATE_HOME"); !state.empty()) return state / "ringwave";
  if (const auto home = folder_of("HOME"); !home.empty()) return home / ".local/state/ringwave";
  throw InvalidArgument("there is no home folder to keep stations in; name a folder with --data");
}

bool is_for_this_machine(const ServerConfig& config) {
  const auto address = Address::from_text(config.host);
  return address && address->is_loopback();
}

void complete(ServerConfig& config) {
  if (config.data_folder.empty()) config.data_folder = default_data_folder().string();
  if (!Address::from_text(config.host))
    throw InvalidArgument(
        "the host is '" + config.host +
        "', which is no address of a machine; use 127.0.0.1, ::1, 0.0.0.0 for all, or one of its own");
  for (const std::string& token : config.tokens) require_token_text(token);
  for (const std::string& token : config.admin_tokens) require_token_text(token);
  require_different(config);
  for (const std::string& origin : config.allowed_origins)
    if (!Origin::from_text(origin))
      throw InvalidArgument("'" + origin +
                            "' is no origin; use one like https://radio.example, without a path");
  for (const std::string& name : config.server_names)
    if (name.empty() || name_of_host(name) != in_small_letters(name) || !Origin::from_text("http://" + name))
      throw InvalidArgument("'" + name +
                            "' is no name of a server; use one like radio.example, without a port");
  if (!is_for_this_machine(config) && config.tokens.empty() && !config.open)
    throw InvalidArgument("others could use the server at " + config.host +
                          " without a token; set tokens, or say --open if everyone may use it");
  (void)log_level_of_name(config.log_level);
  (void)access_log_format_of_name(config.access_log);
  if (!config.icecast.empty()) (void)io::IcecastAddress::parse(config.icecast);
  if (!stream::is_identifier(config.icecast_station))
    throw InvalidArgument("icecast_station is '" + config.icecast_station +
                          "'; use 1 to 32 letters, digits, - and _");
}

}  // namespace ringwave::server
