// SPDX-License-Identifier: Apache-2.0
#include "apps/server/config_setting.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "ringwave/core/error.hpp"
#include "ringwave/core/number_text.hpp"
#include "ringwave/core/toml_table.hpp"

namespace ringwave::server {
namespace {

using C = ServerConfig;

constexpr std::array kSettings{
    Setting{"host", "ADDRESS", "The address to listen at; 0.0.0.0 or :: is every one that the machine has",
            &C::host},
    Setting{"port", "N", "The port to listen at; 0 is any that is free", &C::port, 0, 65535},
    Setting{"data", "FOLDER",
            "Where stations, presets and rendered files are kept; by default $XDG_STATE_HOME/ringwave or "
            "~/.local/state/ringwave",
            &C::data_folder},
    Setting{"web_folder", "FOLDER",
            "Serve the page from this folder instead of the one in the program, to work on it",
            &C::web_folder},
    Setting{"log_level", "LEVEL",
            "What is told on standard error: quiet (what a person must know), info or debug", &C::log_level},
    Setting{"access_log", "FORMAT",
            "A line on standard output for each request, when it has been answered: off, common or json",
            &C::access_log},
    Setting{"threads", "N", "Threads of the network; 0 is one for each core", &C::threads, 0, 256},
    Setting{"tokens", "TOKEN,…",
            "Who knows one of these may use the server; without any, everyone may. A file or the environment "
            "keeps "
            "them out of the list of processes",
            &C::tokens},
    Setting{
        "admin_tokens", "TOKEN,…",
        "Who knows one of these sees and changes everything; without any, one is made in the data folder, "
        "in the file admin-token",
        &C::admin_tokens},
    Setting{"allowed_origins", "ORIGIN,…",
            "Other web addresses whose pages may use this server, as https://radio.example behind a proxy",
            &C::allowed_origins},
    Setting{
        "server_names", "NAME,…",
        "Names that the server is called by, besides addresses, localhost and those of this machine; others "
        "are refused",
        &C::server_names},
    Setting{"open", "", "Everyone who reaches the server may use it: it listens to a network without tokens",
            &C::open},
    Setting{
        "trust_proxy", "",
        "A proxy on this machine is in front: who asks is the last address in X-Forwarded-For that is not of "
        "this machine",
        &C::trust_proxy},
    Setting{"limit_loopback", "", "The limits for one address hold for this machine itself, too",
            &C::limit_loopback},
    Setting{"max_connections", "N", "Connections at a time", &C::max_connections, 1, 1000000},
    Setting{"max_connections_per_address", "N",
            "Connections at a time from one address (of IPv6: one /64 network)",
            &C::max_connections_per_address, 1, 1000000},
    Setting{"max_stations", "N", "Stations that are known, whether they play or not", &C::max_stations, 1,
            1000000},
    Setting{"max_stations_per_address", "N", "Stations that one address has made",
            &C::max_stations_per_address, 1, 1000000},
    Setting{"max_playing", "N", "Stations that play at a time", &C::max_playing, 1, 100000},
    Setting{"max_playing_per_address", "N", "Of these, that one address has begun to listen to",
            &C::max_playing_per_address, 1, 100000},
    Setting{"max_load", "X",
            "The share of its time that rendering or encoding may come to; a station beyond it is refused",
            &C::max_load, 0, 1000},
    Setting{"max_body_bytes", "N", "The longest body of a request", &C::max_body_bytes, 1024, 16777216},
    Setting{"max_message_bytes", "N", "The longest message over a WebSocket", &C::max_message_bytes, 256,
            4096},
    Setting{"messages_per_second", "X", "Messages of one WebSocket, in the long run", &C::messages_per_second,
            0.1, 10000},
    Setting{"requests_per_second", "X", "Requests of one address, in the long run; ten times as many at once",
            &C::requests_per_second, 0.1, 100000},
    Setting{"max_render_jobs", "N", "Files that wait to be rendered, at most", &C::max_render_jobs, 1, 10000},
    Setting{"max_renders_per_address", "N", "Files that one address waits for", &C::max_renders_per_address,
            1, 10000},
    Setting{"max_render_seconds", "SECONDS", "The longest file that is rendered", &C::max_render_seconds, 1,
            86400},
    Setting{"drain_seconds", "SECONDS", "How long listeners are still served after a signal to end",
            &C::drain_seconds, 0, 3600},
    Setting{"linger_seconds", "SECONDS", "How long a station plays on after its last listener has left",
            &C::linger_seconds, 0, 3600},
    Setting{"expire_days", "DAYS",
            "Stations that nobody heard for so long go, but not those that an administrator, this machine or "
            "the feed to Icecast made; 0: none goes",
            &C::expire_days, 0, 36500},
    Setting{"opus_bitrate", "N", "Bits a second of Opus", &C::opus_bitrate, 16000, 510000},
    Setting{"mp3_bitrate", "N", "Bits a second of MP3", &C::mp3_bitrate, 32000, 320000},
    Setting{"icecast", "URL",
            "Send a station to an Icecast server: icecast://[USER:]PASSWORD@HOST[:PORT]/MOUNT.opus or .mp3. "
            "A file "
            "or the environment keeps the password out of the list of processes",
            &C::icecast},
    Setting{"icecast_station", "ID",
            "The station that is sent there, which nobody else may make; it is made where there is none",
            &C::icecast_station},
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

/// The number that a text is, if it is one within the range that is wanted.
double number_of(const Setting& setting, const std::string& text, bool is_whole, const std::string& source) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || !(value >= setting.least && value <= setting.most) ||
      (is_whole && value != std::floor(value)))
    throw InvalidArgument(source + " is '" + text + "'; use a " + (is_whole ? "whole " : "") +
                          "number from " + number_text(setting.least) + " to " + number_text(setting.most));
  return value;
}

bool flag_of(const std::string& text, const std::string& source) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  throw InvalidArgument(source + " is '" + text + "'; use true or false");
}

/// Takes a key of the file, if it is there.
void take(TomlTable& table, const Setting& setting, ServerConfig& config) {
  const auto store = [](auto& to, const auto& found) {
    if (found) to = *found;
  };
  if (const auto* number = std::get_if<double C::*>(&setting.field))
    store(config.*(*number), table.number(setting.name, setting.least, setting.most));
  if (const auto* number = std::get_if<int C::*>(&setting.field))
    if (const auto found = table.number(setting.name, setting.least, setting.most)) {
      if (*found != std::floor(*found)) table.refuse(setting.name, "is no whole number");
      config.*(*number) = static_cast<int>(*found);
    }
  if (const auto* flag = std::get_if<bool C::*>(&setting.field))
    store(config.*(*flag), table.flag(setting.name));
  if (const auto* text = std::get_if<std::string C::*>(&setting.field))
    store(config.*(*text), table.text(setting.name));
  if (const auto* texts = std::get_if<std::vector<std::string> C::*>(&setting.field))
    store(config.*(*texts), table.texts(setting.name));
}

}  // namespace

std::string Setting::flag() const {
  std::string made = "--" + std::string(name);
  std::ranges::replace(made, '_', '-');
  return made;
}

std::string Setting::variable() const {
  std::string made = "RINGWAVE_";
  for (const char letter : name)
    made += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  return made;
}

bool Setting::is_switch() const noexcept {
  return std::holds_alternative<bool C::*>(field);
}

std::string Setting::text_of(const ServerConfig& config) const {
  struct {
    const C& config;
    std::string operator()(int C::*f) const { return std::to_string(config.*f); }
    std::string operator()(double C::*f) const { return number_text(config.*f); }
    std::string operator()(bool C::*f) const { return config.*f ? "true" : "false"; }
    std::string operator()(std::string C::*f) const { return config.*f; }
    std::string operator()(std::vector<std::string> C::*f) const { return joined(config.*f); }
  } const text{config};
  return std::visit(text, field);
}

void Setting::set(ServerConfig& config, const std::string& text, const std::string& source) const {
  struct {
    const Setting& setting;
    C& config;
    const std::string& text;
    const std::string& source;
    void operator()(int C::*f) const { config.*f = static_cast<int>(number_of(setting, text, true, source)); }
    void operator()(double C::*f) const { config.*f = number_of(setting, text, false, source); }
    void operator()(bool C::*f) const { config.*f = flag_of(text, source); }
    void operator()(std::string C::*f) const { config.*f = text; }
    void operator()(std::vector<std::string> C::*f) const { config.*f = split(text); }
  } const setter{*this, config, text, source};
  std::visit(setter, field);
}

std::span<const Setting> settings() noexcept {
  return kSettings;
}

void read_file(ServerConfig& config, const std::filesystem::path& path) {
  TomlTable table = TomlTable::from_file(path);
  for (const Setting& setting : kSettings) take(table, setting, config);
  if (const auto device = table.text("device")) config.device = *device;
  table.require_no_others();
}

void read_environment(ServerConfig& config) {
  for (const Setting& setting : kSettings) {
    const char* const value = std::getenv(setting.variable().c_str());  // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr) setting.set(config, value, setting.variable());
  }
  const char* const device = std::getenv("RINGWAVE_DEVICE");  // NOLINT(concurrency-mt-unsafe)
  if (device != nullptr) config.device = device;
}

}  // namespace ringwave::server
