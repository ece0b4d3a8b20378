// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "apps/server/answer.hpp"
#include "apps/server/net.hpp"
#include "apps/server/request.hpp"
#include "apps/server/request_head.hpp"

namespace ringwave::server {

namespace beast = boost::beast;
namespace http = boost::beast::http;

using HttpRequest = http::request<http::string_body>;
using HttpParser = http::request_parser<http::string_body>;

/// What we look at of a request's head; neither the body is in it, nor what its target is divided into.
/// [server]
[[nodiscard]] Request request_from(const RequestHead& head, const Address& peer, bool trust_proxy);

/// Gives Beast a head that was found to be good, for what follows it: a body, a WebSocket. A fault where
/// Beast reads another body from it than we do. [server]
[[nodiscard]] std::optional<HeadFault> parse(HttpParser& parser, std::string_view bytes,
                                             const RequestHead& head);

/// What is wrong with a request that could not be read to its end. [server]
[[nodiscard]] HeadFault fault_of(const error_code& error);
/// The same for the client. [server]
[[nodiscard]] Answer answer_to(const HeadFault& fault);

}  // namespace ringwave::server
