// SPDX-License-Identifier: Apache-2.0
// Any bytes are a head, no head yet, or a fault, the same however they are cut. What is a head is one to
// Beast as well, which reads the body: with the same fields, and the same end. The first byte says how many
// come at once.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "apps/server/request_head.hpp"

namespace {

namespace http = boost::beast::http;
using ringwave::server::HeadFault;
using ringwave::server::HeadScanner;
using ringwave::server::RequestHead;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The head within the bytes; empty where there is none.
std::string_view head_in(std::string_view bytes, std::size_t at_once) {
  HeadScanner scanner;
  for (std::size_t come = at_once;; come += at_once) {
    if (const auto fault = scanner.scan(bytes.substr(0, come))) {
      require(fault->status >= 400 && !fault->sentence.empty());
      return {};
    }
    if (scanner.is_whole()) return bytes.substr(scanner.begin(), scanner.end() - scanner.begin());
    if (come >= bytes.size()) return {};
  }
}

void compare(std::string_view bytes, const RequestHead& head) {
  boost::system::error_code error;
  http::request_parser<http::string_body> parser;
  parser.body_limit(boost::none);
  const std::size_t used = parser.put(boost::asio::buffer(bytes), error);
  const bool is_too_much_for_a_number = head.content_length && error == http::error::bad_content_length;
  // Beast looks into Connection as well, which says nothing about where the body ends.
  const bool is_odd_list = error == http::error::bad_value && head.has("Connection");
  const bool is_odd_proxy_list = error == http::error::bad_value && head.has("Proxy-Connection");
  if (is_too_much_for_a_number || is_odd_list || is_odd_proxy_list) return;
  require(!error && used == bytes.size() && parser.is_header_done());
  require(parser.chunked() == head.is_chunked);
  require(parser.content_length().value_or(0) == head.content_length.value_or(0));
  require(parser.get().version() == (head.is_1_1 ? 11U : 10U));
  require(std::string_view(parser.get().target()).ends_with(head.target) || head.target == "/");
  const auto fields = std::distance(parser.get().begin(), parser.get().end());
  require(static_cast<std::size_t>(fields) == head.fields.size());
  for (const auto& [name, value] : head.fields) require(parser.get().count(name) > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view whole = head_in(bytes, size);
  require(head_in(bytes, std::max<std::size_t>(1, data[0])) == whole);
  if (whole.empty()) return 0;
  const auto read = ringwave::server::read_head(whole);
  if (const auto* const head = std::get_if<RequestHead>(&read)) compare(whole, *head);
  return 0;
}
