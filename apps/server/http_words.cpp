// SPDX-License-Identifier: Apache-2.0
#include "apps/server/http_words.hpp"

#include <boost/beast/http/error.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

namespace ringwave::server {
namespace {

using stream::RefusalCode;

template <class Name>
std::string field_of(const HttpRequest& head, Name name) {
  const auto found = head.find(name);
  return found == head.end() ? std::string() : std::string(found->value());
}

std::optional<Method> method_of(http::verb verb) {
  if (verb == http::verb::get || verb == http::verb::head) return Method::get;
  if (verb == http::verb::post) return Method::post;
  if (verb == http::verb::patch) return Method::patch;
  if (verb == http::verb::delete_) return Method::remove;
  return {};
}

/// Who asks: the peer, or who a proxy on this machine says it is. What the client itself wrote stands before
/// that.
Address address_of(const Address& peer, const std::string& forwarded_for) {
  if (!peer.is_loopback()) return peer;
  const std::size_t comma = forwarded_for.rfind(',');
  std::string last = comma == std::string::npos ? forwarded_for : forwarded_for.substr(comma + 1);
  last.erase(0, last.find_first_not_of(' '));
  return Address::from_text(last).value_or(peer);
}

}  // namespace

Request request_from(const HttpRequest& head, const Address& peer, bool trust_proxy) {
  Request request;
  request.method = method_of(head.method());
  request.is_head = head.method() == http::verb::head;
  request.host = field_of(head, http::field::host);
  request.origin = field_of(head, http::field::origin);
  request.authorization = field_of(head, http::field::authorization);
  request.if_none_match = field_of(head, http::field::if_none_match);
  request.forwarded_for = field_of(head, "X-Forwarded-For");
  request.wants_icy = field_of(head, "Icy-MetaData") == "1";
  request.is_upgrade = beast::websocket::is_upgrade(head);
  request.address = trust_proxy ? address_of(peer, request.forwarded_for) : peer;
  set_target(request, std::string_view(head.target().data(), head.target().size()));
  return request;
}

Answer answer_to_bad_request(const error_code& error) {
  if (error == http::error::header_limit)
    return refusal_answer(RefusalCode::too_large,
                          "the head of the request is too long; use 8192 bytes at most", 431);
  if (error == http::error::body_limit)
    return refusal_answer(RefusalCode::too_large, "the body of the request is longer than is taken here");
  if (error == asio::error::operation_aborted)
    return refusal_answer(RefusalCode::rate_limited, "the request came too slowly", 408);
  return refusal_answer(RefusalCode::out_of_range, "this is no request of HTTP: " + error.message(), 400);
}

}  // namespace ringwave::server
