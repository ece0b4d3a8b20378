// SPDX-License-Identifier: Apache-2.0
#include "apps/server/request_head.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ringwave::server {
namespace {

using namespace std::string_literals;

constexpr std::string_view kHost = "Host: localhost\r\n";

/// The status that a head is refused with; 200 where it is taken.
int status_of_head(const std::string& bytes) {
  const auto read = read_head(bytes);
  const auto* const fault = std::get_if<HeadFault>(&read);
  if (fault == nullptr) return 200;
  EXPECT_GT(fault->sentence.size(), 20U) << bytes;
  return fault->status;
}

std::string post(const std::string& fields) {
  return "POST / HTTP/1.1\r\n" + std::string(kHost) + fields + "\r\n";
}

/// As it comes from the network: the status of the first fault, 100 while there is more to come.
int status_of_bytes(std::string_view bytes, std::size_t at_once) {
  HeadScanner scanner;
  for (std::size_t come = at_once;; come += at_once) {
    const std::string_view now = bytes.substr(0, come);
    if (const auto fault = scanner.scan(now)) return fault->status;
    if (scanner.is_whole())
      return status_of_head(std::string(now.substr(scanner.begin(), scanner.end() - scanner.begin())));
    if (come >= bytes.size()) return 100;
  }
}

TEST(RequestHead, GivesWhatStandsInIt) {
  const std::string bytes =
      "GET /a%20b?c=d HTTP/1.1\r\nhost: Box:8080\r\nX-A: \t1 2 \r\nx-a: 3\r\nEmpty:\r\n\r\n";
  const auto read = read_head(bytes);
  const auto& head = std::get<RequestHead>(read);
  EXPECT_EQ(head.method, "GET");
  EXPECT_EQ(head.target, "/a%20b?c=d");
  EXPECT_EQ(head.host, "Box:8080");
  EXPECT_EQ(head.field("X-a"), "1 2");
  EXPECT_EQ(head.field("empty"), "");
  EXPECT_TRUE(head.has("EMPTY") && !head.has("absent"));
  EXPECT_EQ(head.fields.size(), 4U);
  EXPECT_TRUE(head.is_1_1 && !head.is_chunked && !head.content_length);
}

TEST(RequestHead, KnowsWhereTheBodyEndsOrRefuses) {
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string length = "Content-Length: 5\r\n";
  EXPECT_EQ(status_of_head(post(chunked)), 200);
  EXPECT_EQ(status_of_head(post("transfer-encoding:\tChunked \r\n")), 200);
  EXPECT_EQ(status_of_head(post(length)), 200);
  for (const char* coding : {"xchunked", "gzip", "identity", "chunked, identity", "identity, chunked",
                             "gzip, chunked", "chunked, chunked", "\"chunked\"", "'chunked'", "chunked;q=1",
                             "chunked,", ",chunked", "", "chunked\x0b", "chun ked"})
    EXPECT_EQ(status_of_head(post("Transfer-Encoding: "s + coding + "\r\n")), 501) << coding;
  EXPECT_EQ(status_of_head(post(chunked + chunked)), 501);
  EXPECT_EQ(status_of_head(post(chunked + "Transfer-Encoding: identity\r\n")), 501);
  EXPECT_EQ(status_of_head(post("Transfer-Encoding: identity\r\n" + chunked)), 501);
  EXPECT_EQ(status_of_head(post(chunked + length)), 400);
  EXPECT_EQ(status_of_head(post(length + chunked)), 400);
  EXPECT_EQ(status_of_head(post(length + length)), 400);
  EXPECT_EQ(status_of_head(post(length + "content-length: 6\r\n")), 400);
  for (const char* number :
       {"2, 2", "2,2", "+5", "-1", "0x5", "5 5", "", "five", "5;", "\"5\"", "5.0", "1e3"})
    EXPECT_EQ(status_of_head(post("Content-Length: "s + number + "\r\n")), 400) << number;
  EXPECT_EQ(status_of_head("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(status_of_head("POST / HTTP/1.0\r\nTransfer-Encoding: gzip\r\n\r\n"), 400);
  EXPECT_EQ(status_of_head("POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n"), 200);
}

TEST(RequestHead, HasLinesThatAllReadersReadAlike) {
  for (const char* field :
       {"Content-Length : 5", "Transfer-Encoding : chunked", " X: folded", "X: a\r\n b", "X: a\r\n\tb",
        ": no name", "no colon", "X Y: z", "X\x01Y: z", "(X): y", "\xc3\xa4: y"})
    EXPECT_EQ(status_of_head(post(field + "\r\n"s)), 400) << field;
  EXPECT_EQ(status_of_head("GET / HTTP/1.1\r\n " + std::string(kHost) + "\r\n"), 400);
  EXPECT_EQ(status_of_head("GET / HTTP/1.1\r\n" + std::string(kHost)), 400);
}

TEST(RequestHead, HasAFirstLineOfThreeParts) {
  for (const char* line :
       {"", "GET", "GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", "GET / / HTTP/1.1", " GET / HTTP/1.1",
        "G(T / HTTP/1.1", "GET / http/1.1", "GET / HTTP/1.10", "GET / HTTP/1,1", "GET / HTTP/x.1",
        "GET x HTTP/1.1", "GET ftp://localhost/ HTTP/1.1", "GET * HTTP/1.1", "CONNECT a:1 HTTP/1.1",
        "GET /\t HTTP/1.1", "GET\t/ HTTP/1.1"})
    EXPECT_EQ(status_of_head(line + "\r\n"s + std::string(kHost) + "\r\n"), 400) << line;
  for (const char* line : {"GET / HTTP/2.0", "GET / HTTP/0.9", "PRI * HTTP/2.0", "GET / HTTP/1.2"})
    EXPECT_EQ(status_of_head(line + "\r\n"s + std::string(kHost) + "\r\n"), 505) << line;
  EXPECT_EQ(status_of_head("OPTIONS * HTTP/1.1\r\n" + std::string(kHost) + "\r\n"), 200);
  const std::string longest(RequestHead::kLongestTarget, 'x');
  EXPECT_EQ(status_of_head("GET /" + longest.substr(1) + " HTTP/1.1\r\n" + std::string(kHost) + "\r\n"), 200);
  EXPECT_EQ(status_of_head("GET /" + longest + " HTTP/1.1\r\n" + std::string(kHost) + "\r\n"), 414);
}

TEST(RequestHead, NamesItsHostOnce) {
  EXPECT_EQ(status_of_head("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of_head("GET http://localhost/ HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of_head("GET / HTTP/1.0\r\n\r\n"), 200);
  EXPECT_EQ(status_of_head("GET / HTTP/1.1\r\nHost:\r\n\r\n"), 200);
  EXPECT_EQ(status_of_head(post("Host: localhost\r\n")), 400);
  EXPECT_EQ(status_of_head(post("HOST: other\r\n")), 400);
  for (const char* host : {"a b", "a,b", "a/b", "user@a", "a\\b", "\"a\"", "%61", "\xc3\xa4"})
    EXPECT_EQ(status_of_head("GET / HTTP/1.1\r\nHost: "s + host + "\r\n\r\n"), 400) << host;
}

TEST(RequestHead, TakesAnAbsoluteTargetForItsPathAndItsHost) {
  const auto head_of = [](const std::string& target) {
    static std::string bytes;
    bytes = "GET " + target + " HTTP/1.1\r\nHost: other\r\n\r\n";
    return std::get<RequestHead>(read_head(bytes));
  };
  EXPECT_EQ(head_of("http://Radio.example:80/a?b").target, "/a?b");
  EXPECT_EQ(head_of("http://Radio.example:80/a?b").host, "Radio.example:80");
  EXPECT_EQ(head_of("HTTPS://[::1]").target, "/");
  EXPECT_EQ(head_of("HTTPS://[::1]").host, "[::1]");
  EXPECT_EQ(head_of("/http://x/").host, "other");
  for (const char* target :
       {"http://", "http:///a", "http://user@a/", "http://a?b", "http:/a", "http//a", "a://b/"})
    EXPECT_EQ(status_of_head("GET "s + target + " HTTP/1.1\r\nHost: other\r\n\r\n"), 400) << target;
}

TEST(HeadScanner, FindsTheEndHoweverTheBytesCome) {
  const std::string head = "GET / HTTP/1.1\r\n" + std::string(kHost) + "\r\n";
  for (const std::size_t at_once : {1U, 2U, 3U, 7U, 100U})
    for (const std::string& bytes : {head, "\r\n" + head, head + head, head + "\0\n\r"s}) {
      EXPECT_EQ(status_of_bytes(bytes, at_once), 200) << bytes;
      EXPECT_EQ(status_of_bytes(bytes.substr(0, head.size() - 1), at_once), 100);
    }
  EXPECT_EQ(status_of_bytes("\r\n\r\n" + head, 1), 400);
}

TEST(HeadScanner, RefusesWhatCannotBecomeAHeadAtOnce) {
  for (const std::string& bytes :
       {"GET / HTTP/1.1\nHost: x\n\n"s, "\n"s, "GET / HTTP/1.1\r\rHost: x\r\n\r\n"s,
        "GET / HTTP/1.1\rHost: x"s, "GET /\0 HTTP/1.1"s, "\x16\x03\x01"s, "X: \x7f"s, "X: \x1b[2J"s, "\0"s})
    for (const std::size_t at_once : {1U, 100U}) EXPECT_EQ(status_of_bytes(bytes, at_once), 400) << bytes;
}

TEST(HeadScanner, HoldsTheHeadToItsLength) {
  const std::string field = "X: " + std::string(HeadScanner::kMostBytes, 'x');
  EXPECT_EQ(status_of_bytes("GET / HTTP/1.1\r\n" + field + "\r\n\r\n", 1000), 431);
  EXPECT_EQ(status_of_bytes("GET /" + field, 1000), 414);
  EXPECT_EQ(status_of_bytes("GET /" + field.substr(0, 3000) + " HTTP/1.1\r\n" + field, 1000), 414);
  const std::string start = "GET / HTTP/1.1\r\n" + std::string(kHost) + "X: ";
  const std::string longest =
      start + std::string(HeadScanner::kMostBytes - start.size() - 4, 'x') + "\r\n\r\n";
  EXPECT_EQ(status_of_bytes(longest, 1000), 200);
  EXPECT_EQ(status_of_bytes(start + "x" + longest.substr(start.size()), 1000), 431);
}

}  // namespace
}  // namespace ringwave::server
