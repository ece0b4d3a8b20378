// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ringwave::server {

/// Everything that can be chosen of a server. settings() in config_setting.hpp has the names and what they
/// mean.
struct ServerConfig {
  std::string host = "127.0.0.1";
  int port = 8080;
  std::string data_folder{};  ///< empty: default_data_folder()
  std::string web_folder{};   ///< empty: the page that is in the program
  std::string device{};       ///< empty: auto
  std::string log_level = "info";
  std::string access_log = "off";
  int threads = 0;  ///< of the network; 0: one for each core

  std::vector<std::string> tokens{};
  std::vector<std::string> admin_tokens{};  ///< empty: one is made in the data folder
  std::vector<std::string> allowed_origins{};
  std::vector<std::string> server_names{};
  bool open = false;  ///< everyone who reaches it may use it
  bool trust_proxy = false;
  bool limit_loopback = false;

  int max_connections = 4096;
  int max_connections_per_address = 64;
  int max_stations = 1000;
  int max_stations_per_address = 100;
  int max_playing = 64;
  int max_playing_per_address = 16;
  double max_load = 0.7;
  int max_body_bytes = 65536;
  int max_message_bytes = 4096;
  double messages_per_second = 10;
  double requests_per_second = 20;
  int max_render_jobs = 16;
  int max_renders_per_address = 4;
  double max_render_seconds = 3600;

  double drain_seconds = 5;
  double linger_seconds = 15;
  double expire_days = 30;
  int opus_bitrate = 96000;
  int mp3_bitrate = 192000;

  std::string icecast{};  ///< empty: nothing is sent to an Icecast server
  std::string icecast_station = "icecast";
};

/// $XDG_STATE_HOME/ringwave, or ~/.local/state/ringwave. Throws InvalidArgument where there is no home.
/// [setup]
[[nodiscard]] std::filesystem::path default_data_folder();

/// Only this machine itself can reach it. [any]
[[nodiscard]] bool is_for_this_machine(const ServerConfig& config);

/// Fills in what was left open, and throws InvalidArgument for what cannot be: a host that is no address, or
/// one that others reach without tokens and without `open`, a token that is too short, an origin that is
/// none, a level of the log that is not known. [setup]
void complete(ServerConfig& config);

}  // namespace ringwave::server
