// SPDX-License-Identifier: Apache-2.0
#include "apps/server/http_words.hpp"

#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>

#include "apps/server/client_address.hpp"
#include "apps/server/origin.hpp"

namespace ringwave::server {
namespace {

using stream::RefusalCode;

std::optional<Method> method_of(std::string_view name) {
  if (name == "GET" || name == "HEAD") return Method::get;
  if (name == "POST") return Method::post;
  if (name == "PATCH") return Method::patch;
  if (name == "DELETE") return Method::remove;
  return {};
}

/// What a proxy in front of us has added last.
std::string_view last_of(const std::vector<std::string_view>& lines) {
  if (lines.empty()) return {};
  const std::size_t comma = lines.back().rfind(',');
  return comma == std::string_view::npos ? lines.back() : trimmed(lines.back().substr(comma + 1));
}

}  // namespace

Request request_from(const RequestHead& head, const Address& peer, bool trust_proxy) {
  Request request;
  request.method = method_of(head.method);
  request.method_name = head.method;
  request.is_head = head.method == "HEAD";
  request.host = head.host;
  request.origin = head.field("Origin");
  request.authorization = head.field("Authorization");
  request.secret = head.field("X-Ringwave-Secret");
  request.referer = head.field("Referer");
  request.fetch_site = head.field("Sec-Fetch-Site");
  request.is_navigation =
      head.field("Sec-Fetch-Mode") == "navigate" && head.field("Sec-Fetch-Dest") == "document";
  request.if_none_match = head.field("If-None-Match");
  request.is_forwarded = head.has("X-Forwarded-For") || head.has("Forwarded") || head.has("Via");
  request.wants_icy = head.field("Icy-MetaData") == "1";
  request.address = trust_proxy ? client_address(peer, head.all("X-Forwarded-For")) : peer;
  const bool has_proxy = trust_proxy && peer.is_loopback();
  request.is_https = has_proxy && is_same_name(last_of(head.all("X-Forwarded-Proto")), "https");
  request.target = head.target;
  request.protocol = head.is_1_1 ? "HTTP/1.1" : "HTTP/1.0";
  return request;
}

std::optional<HeadFault> parse(HttpParser& parser, std::string_view bytes, const RequestHead& head) {
  error_code error;
  const std::size_t used = parser.put(asio::buffer(bytes), error);
  if (error) return fault_of(error);
  const bool is_same = used == bytes.size() && parser.is_header_done() &&
                       parser.chunked() == head.is_chunked &&
                       parser.content_length().value_or(0) == head.content_length.value_or(0);
  if (!is_same) return HeadFault{.sentence = "where the body of this request ends is in doubt"};
  return {};
}

HeadFault fault_of(const error_code& error) {
  if (error == http::error::body_limit)
    return {.status = 413,
            .code = RefusalCode::too_large,
            .sentence = "the body of the request is longer than is taken here"};
  if (error == asio::error::operation_aborted)
    return {.status = 408, .code = RefusalCode::rate_limited, .sentence = "the request came too slowly"};
  return {.sentence = "this is no request of HTTP: " + error.message()};
}

Answer answer_to(const HeadFault& fault) {
  return refusal_answer(fault.code, fault.sentence, fault.status);
}

}  // namespace ringwave::server
