// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/stream_url.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::stream {
namespace {

constexpr std::size_t kMostBytes = 2048;
constexpr std::size_t kMostHostBytes = 253;  // DNS's
constexpr std::size_t kMostTokenBytes = 512;

bool is_letter_or_digit(char letter) noexcept {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9');
}

/// For a message: short, and nothing that a terminal would obey.
std::string shown(std::string_view text) {
  constexpr std::size_t kMostShown = 80;
  std::string made(text.substr(0, kMostShown));
  std::ranges::replace_if(
      made, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  return "'" + made + (text.size() > kMostShown ? "…'" : "'");
}

[[noreturn]] void refuse(std::string_view text, const std::string& reason) {
  throw InvalidArgument(shown(text) + " is no address: " + reason +
                        "; use http://HOST:PORT for a server, ws://HOST:PORT/ws/stations/ID for a station");
}

/// Cuts `text` before the first of these letters; the rest begins with it.
std::string_view cut(std::string_view& text, std::string_view letters) {
  const std::size_t end = std::min(text.find_first_of(letters), text.size());
  const std::string_view front = text.substr(0, end);
  text.remove_prefix(end);
  return front;
}

void take_scheme(std::string_view& rest, std::string_view whole) {
  const std::size_t end = rest.find("://");
  if (end == std::string_view::npos || end > rest.find_first_of("/?#")) return;
  std::string scheme(rest.substr(0, end));
  std::ranges::transform(scheme, scheme.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  if (scheme == "https" || scheme == "wss")
    refuse(whole, "this program speaks no TLS, which is for browsers behind a proxy");
  if (scheme != "http" && scheme != "ws") refuse(whole, "it begins with neither http:// nor ws://");
  rest.remove_prefix(end + 3);
}

std::uint16_t port_of(std::string_view text, std::string_view whole) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || port == 0)
    refuse(whole, "a port is a number from 1 to 65535");
  return port;
}

std::string host_of(std::string_view text, std::string_view whole) {
  if (text.empty()) refuse(whole, "it names no host");
  const bool in_brackets = text.front() == '[';
  if (in_brackets && (text.size() < 4 || text.back() != ']')) refuse(whole, "its brackets do not match");
  if (in_brackets) text = text.substr(1, text.size() - 2);
  const std::string_view others = in_brackets ? ":." : "-._";
  const bool is_good = std::ranges::all_of(text, [&](char letter) {
    return is_letter_or_digit(letter) || others.find(letter) != std::string_view::npos;
  });
  if (!is_good || text.size() > kMostHostBytes) refuse(whole, "its host is no name and no number");
  return std::string(text);
}

void take_authority(std::string_view& rest, std::string_view whole, StreamUrl& url) {
  std::string_view authority = cut(rest, "/?#");
  if (authority.find('@') != std::string_view::npos)
    refuse(whole, "a user's name is not asked for; a token goes by --token");
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    url.port = port_of(authority.substr(colon + 1), whole);
    authority = authority.substr(0, colon);
  }
  url.host = host_of(authority, whole);
}

void take_path(std::string_view path, std::string_view whole, StreamUrl& url) {
  constexpr std::string_view kSocket = "/ws/stations/";
  if (path.empty() || path == "/") return;
  if (path.starts_with("/stream/"))
    throw InvalidArgument(shown(whole) +
                          " is a plain stream, which any player plays: mpv, vlc, ffplay or a browser; "
                          "for listen use http://HOST:PORT or ws://HOST:PORT/ws/stations/ID");
  if (!path.starts_with(kSocket)) refuse(whole, "its path is none that is listened to");
  url.station = path.substr(kSocket.size());
}

void take_token(std::string_view value, std::string_view whole, StreamUrl& url) {
  const bool is_good = std::ranges::all_of(value, [](char letter) {
    return is_letter_or_digit(letter) || std::string_view("-._~+/=").find(letter) != std::string_view::npos;
  });
  if (!is_good || value.empty() || value.size() > kMostTokenBytes)
    refuse(whole.substr(0, whole.find('?')), "its token cannot be one");
  url.token = value;
}

void take_query(std::string_view query, std::string_view whole, StreamUrl& url) {
  while (!query.empty()) {
    query.remove_prefix(1);  // ? or &
    std::string_view value = cut(query, "&");
    const std::string_view name = cut(value, "=");
    if (!value.empty()) value.remove_prefix(1);
    if (name == "codec")
      url.codec = codec_of_name(value);
    else if (name == "token")
      take_token(value, whole, url);
    else if (name == "station" && url.station.empty())
      url.station = value;
    else
      refuse(whole, "its query may have codec, token and station, each once, and has " + shown(name));
  }
}

}  // namespace

StreamUrl StreamUrl::parse(std::string_view text) {
  if (text.size() > kMostBytes)
    refuse(text, "it has " + std::to_string(text.size()) + " bytes, and " + std::to_string(kMostBytes) +
                     " are the most");
  if (std::ranges::any_of(text, [](char letter) { return letter <= ' ' || letter > '~'; }))
    refuse(text, "it has a space or a letter that addresses do not have");
  StreamUrl url;
  std::string_view rest = text;
  take_scheme(rest, text);
  take_authority(rest, text, url);
  const std::string_view path = cut(rest, "?#");
  take_path(path, text, url);
  take_query(cut(rest, "#"), text, url);
  const bool names_station = path.size() > 1 || !url.station.empty();
  if (names_station && !is_station_id(url.station))
    refuse(text, "a station has 1 to 32 letters, digits, - and _");
  return url;
}

std::string StreamUrl::authority() const {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string StreamUrl::socket_target(FrameHeader::Codec asked) const {
  return "/ws/stations/" + station + "?codec=" + std::string(to_string(asked));
}

bool StreamUrl::is_loopback() const {
  const auto is_number = [](char letter) { return letter == '.' || (letter >= '0' && letter <= '9'); };
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && std::ranges::all_of(host, is_number));
}

bool is_station_id(std::string_view text) noexcept {
  constexpr std::size_t kMostIdBytes = 32;
  return !text.empty() && text.size() <= kMostIdBytes && std::ranges::all_of(text, [](char letter) {
    return is_letter_or_digit(letter) || letter == '-' || letter == '_';
  });
}

FrameHeader::Codec codec_of_name(std::string_view name) {
  for (const auto codec : {FrameHeader::Codec::pcm, FrameHeader::Codec::opus})
    if (name == to_string(codec)) return codec;
  throw InvalidArgument(shown(name) + " is no codec; use opus or pcm");
}

std::string_view to_string(FrameHeader::Codec codec) noexcept {
  return codec == FrameHeader::Codec::opus ? "opus" : "pcm";
}

}  // namespace ringwave::stream
