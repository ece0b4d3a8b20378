// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "apps/server/acceptor.hpp"
#include "apps/server/config_setting.hpp"
#include "apps/server/data_folder.hpp"
#include "apps/server/routes.hpp"
#include "apps/server/server.hpp"
#include "ringwave/io/icecast_output.hpp"

namespace ringwave::server {
namespace {

std::string shown(const Setting& setting, const ServerConfig& config) {
  if (setting.name == "icecast" && !config.icecast.empty())
    return io::IcecastAddress::parse(config.icecast).text();
  const auto count_of = [](const std::vector<std::string>& tokens) {
    return tokens.empty() ? "" : std::to_string(tokens.size()) + " that are not shown";
  };
  if (setting.name == "tokens") return count_of(config.tokens);
  if (setting.name == "admin_tokens") return count_of(config.admin_tokens);
  return setting.text_of(config);
}

}  // namespace

std::vector<std::string> check(const ServerConfig& config) {
  std::vector<std::string> lines;
  const DataFolder folder(config.data_folder);
  const auto lock = folder.lock();
  const PageFiles page(config.web_folder);
  asio::io_context context;
  const Acceptor acceptor(context, config);
  const Device device = Device::find(config.device.empty() ? "auto" : config.device);
  lines.push_back("would listen at " + config.host + ", port " +
                  (config.port == 0 ? "any" : std::to_string(config.port)));
  lines.push_back("would render on " + device.name());
  lines.push_back("would keep its data in " + config.data_folder);
  if (config.admin_tokens.empty())
    lines.push_back("would keep the administrator's token in " + folder.admin_token().string());
  for (const Setting& setting : settings())
    if (const std::string value = shown(setting, config); !value.empty())
      lines.push_back("  " + std::string(setting.name) + " = " + value);
  lines.emplace_back("would answer");
  for (const Route& route : routes())
    lines.push_back("  " + std::string(to_string(route.method)) + " " + std::string(route.pattern));
  return lines;
}

}  // namespace ringwave::server
