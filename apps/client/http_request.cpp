// SPDX-License-Identifier: Apache-2.0
#include "apps/client/http_request.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <nlohmann/json.hpp>

#include "apps/client/connection.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::client {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using stream::StreamUrl;

constexpr std::size_t kMostAnswerBytes = 16 << 20;
using Request = http::request<http::string_body>;

Request make_request(const StreamUrl& server, const HttpQuestion& question) {
  Request request(http::string_to_verb(question.method), question.target, 11);
  request.set(http::field::host, server.authority());
  request.set(http::field::user_agent, user_agent());
  request.set(http::field::connection, "close");
  const std::string& bearer = server.token.empty() ? question.secret : server.token;
  if (!bearer.empty()) request.set(http::field::authorization, "Bearer " + bearer);
  if (!server.token.empty() && !question.secret.empty()) request.set("X-Ringwave-Secret", question.secret);
  if (!question.body.empty()) request.set(http::field::content_type, "application/json");
  request.body() = question.body;
  request.prepare_payload();
  return request;
}

asio::awaitable<HttpAnswer> ask(const StreamUrl& server, Request request) {
  const Endpoints endpoints = co_await find(server);
  beast::tcp_stream stream(co_await asio::this_coro::executor);
  co_await connect(stream, endpoints, server.authority());
  boost::system::error_code error;
  co_await http::async_write(stream, request, asio::redirect_error(asio::use_awaitable, error));
  http::response_parser<http::string_body> parser;
  parser.body_limit(kMostAnswerBytes);
  beast::flat_buffer buffer;
  if (!error)
    co_await http::async_read(stream, buffer, parser, asio::redirect_error(asio::use_awaitable, error));
  if (error)
    throw DeviceUnavailable("the server at " + server.authority() +
                            " was asked and did not answer: " + reason_of(error));
  HttpAnswer answer{.status = parser.get().result_int(), .body = std::move(parser.get().body())};
  co_return answer;
}

}  // namespace

HttpAnswer http_request(const StreamUrl& server, const HttpQuestion& question) {
  asio::io_context context(1);
  auto answer = asio::co_spawn(context, ask(server, make_request(server, question)), asio::use_future);
  context.run();
  return answer.get();
}

std::string sentence_of(const HttpAnswer& answer) {
  constexpr std::size_t kMostShown = 300;
  std::string text;
  const auto json = nlohmann::json::parse(answer.body, nullptr, false);
  if (json.is_object() && json.contains("error") && json["error"].is_object() &&
      json["error"].contains("message") && json["error"]["message"].is_string())
    text = json["error"]["message"].get<std::string>().substr(0, kMostShown);
  std::ranges::replace_if(
      text, [](char letter) { return letter >= 0 && letter < ' '; }, ' ');
  return text.empty() ? "HTTP status " + std::to_string(answer.status) : text;
}

}  // namespace ringwave::client
