// SPDX-License-Identifier: Apache-2.0
#include "apps/client/garbage.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "ringwave/stream/websocket_parser.hpp"

namespace ringwave::client {
namespace {

using Chance = std::minstd_rand;
using Kind = stream::WebSocketParser::Kind;

std::string any_bytes(Chance& chance, std::size_t most) {
  std::string made(1 + chance() % most, '\0');
  for (char& byte : made) byte = static_cast<char>(chance() >> 8U);
  return made;
}

std::string frame(Kind kind, const std::string& payload, Chance& chance) {
  std::vector<std::byte> out(payload.size() + stream::kMostClientHeadBytes);
  const std::size_t bytes = stream::write_client_frame(kind, std::as_bytes(std::span(payload)),
                                                       static_cast<std::uint32_t>(chance()), out);
  return {reinterpret_cast<const char*>(out.data()), bytes};
}

std::string request(const std::string& line, const std::string& length, const std::string& body) {
  return line +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " + length +
         "\r\n\r\n" + body;
}

std::string with_length(const std::string& line, const std::string& body) {
  return request(line, std::to_string(body.size()), body);
}

std::string wrong_text(Chance& chance) {
  constexpr std::array kTexts{
      R"({"type":"settings","bpm":1e999})",
      R"({"type":"settings","bpm":-40,"mode":"party"})",
      R"({"type":"settings","mode":["a",{"b":null}]})",
      R"({"type":"preset","name":"../../etc/passwd"})",
      R"({"type":"buffer","depth_seconds":"NaN"})",
      R"({"type":"rule the world"})",
      R"({"type":)",
      "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
      "null",
      "",
  };
  return kTexts[chance() % kTexts.size()];
}

}  // namespace

std::string garbage_for_http(Chance& chance) {
  switch (chance() % 8) {
    case 0:
      return any_bytes(chance, 4096);
    case 1:
      return "GET /" + std::string(100000, 'a') + " HTTP/1.1\r\n\r\n";
    case 2:
      return request("POST /api/stations", "104857600", any_bytes(chance, 65536));
    case 3:
      return request("POST /api/stations", "-1", "{}");
    case 4:
      return with_length("POST /api/stations", wrong_text(chance));
    case 5:
      return with_length("POST /api/stations", any_bytes(chance, 256));
    case 6:
      return "GET /../../../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n";
    default:
      return "GET / HTTP/1.1\r\n" + std::string(50000, 'x');
  }
}

std::string garbage_for_socket(Chance& chance) {
  switch (chance() % 9) {
    case 0:
      return any_bytes(chance, 1024);
    case 1:
      return frame(Kind::text, any_bytes(chance, 512), chance);  // seldom UTF-8
    case 2:
      return frame(Kind::binary, any_bytes(chance, 512), chance);
    case 3:
      return std::string("\x81\x05hello", 7);  // without a mask
    case 4:
      return std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10);
    case 5:
      return frame(Kind::text, std::string(60000, '['), chance);
    case 6:
      return frame(Kind::text, wrong_text(chance), chance).substr(0, 5);  // half of it
    case 7:
      return frame(static_cast<Kind>(3 + chance() % 5), "?", chance);
    default:
      return frame(Kind::text, wrong_text(chance), chance);
  }
}

std::string slow_head() {
  return "GET /api/status HTTP/1.1\r\nHost: slow-loris";
}

std::string goodbye_frame() {
  Chance chance;
  return frame(Kind::close, "\x03\xe8", chance);
}

}  // namespace ringwave::client
