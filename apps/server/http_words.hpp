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

namespace ringwave::server {

namespace beast = boost::beast;
namespace http = boost::beast::http;

using HttpRequest = http::request<http::string_body>;
using HttpParser = http::request_parser<http::string_body>;

/// What we look at of a request's head; the body is not in it. Throws Refusal for a target that is none.
/// [server]
[[nodiscard]] Request request_from(const HttpRequest& head, const Address& peer, bool trust_proxy);

/// What is wrong with a request that could not be read, as an answer. [server]
[[nodiscard]] Answer answer_to_bad_request(const error_code& error);

}  // namespace ringwave::server
