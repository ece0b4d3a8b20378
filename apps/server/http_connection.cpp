// SPDX-License-Identifier: Apache-2.0
#include "apps/server/http_connection.hpp"

#include <array>
#include <boost/asio/write.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <fstream>
#include <utility>
#include <vector>

namespace ringwave::server {
namespace {

using stream::Refusal;
using stream::RefusalCode;

constexpr std::uint32_t kHeadBytes = 8192;
constexpr std::size_t kBufferBytes = 16384;
constexpr std::size_t kFileBytes = 65536;  // that are read and sent at once
constexpr std::chrono::seconds kLingerTime{2};

template <class Body>
http::response<Body> response_of(const Answer& answer, bool keep_alive) {
  http::response<Body> response(static_cast<http::status>(answer.status), 11);
  if (!answer.content_type.empty()) response.set(http::field::content_type, answer.content_type);
  for (const auto& [name, value] : security_headers()) response.set(name, value);
  for (const auto& [name, value] : answer.headers) response.set(name, value);
  response.keep_alive(keep_alive);
  return response;
}

}  // namespace

HttpConnection::HttpConnection(Shard& shard, Services& services, Office& office, Socket socket,
                               ConnectionSlot slot)
    : Member(shard),
      services_(services),
      office_(office),
      socket_(std::move(socket)),
      slot_(std::move(slot)),
      buffer_(kBufferBytes) {}

Task<std::optional<Handover>> HttpConnection::run() {
  std::optional<Audience> audience;
  Next next = Next::request;
  while (next == Next::request && !is_ending_) next = co_await exchange(audience);
  deadline_ = Time::max();
  if (next != Next::stream) co_return std::nullopt;
  co_return Handover{match_.route->kind, std::move(socket_),  std::move(slot_),
                     parser_->release(), std::move(request_), std::move(*audience)};
}

Task<HttpConnection::Next> HttpConnection::exchange(std::optional<Audience>& audience) {
  const error_code error = co_await read_head();
  if (error == http::error::end_of_stream || error == asio::error::eof ||
      error == asio::error::connection_reset)
    co_return Next::close;
  if (error == asio::error::operation_aborted && (is_ending_ || buffer_.size() == 0)) co_return Next::close;
  shard().counters().requests.add();
  std::optional<Answer> refusal = error ? answer_to_bad_request(error) : turn_away();
  if (!refusal && match_.route != nullptr && match_.route->kind != RouteKind::answer) {
    refusal = take_audience(audience);
    if (!refusal) co_return Next::stream;
  }
  if (!refusal)
    if (const error_code torn = co_await read_body()) refusal = answer_to_bad_request(torn);
  if (refusal) {
    const bool is_whole = parser_->is_done();
    const bool is_open = co_await reply(*refusal, is_whole && parser_->get().keep_alive());
    if (!is_whole) co_await linger();
    co_return is_open ? Next::request : Next::close;
  }
  request_.body = std::move(parser_->get().body());
  deadline_ = Time::max();
  const Answer answer = co_await office_.answer([this] { return answer_to(services_, match_, request_); });
  co_return co_await reply(answer, parser_->get().keep_alive()) ? Next::request : Next::close;
}

Task<error_code> HttpConnection::read_head() {
  parser_.emplace();
  parser_->header_limit(kHeadBytes);
  parser_->body_limit(static_cast<std::uint64_t>(services_.config.max_body_bytes));
  if (buffer_.size() == 0) {
    set_deadline(std::exchange(is_new_, false) ? kHeadTime : kIdleTime);
    const auto [error] = co_await socket_.async_wait(Socket::wait_read, as_result);
    if (error) co_return error;
  }
  set_deadline(kHeadTime);
  const auto [error, bytes] = co_await http::async_read_header(socket_, buffer_, *parser_, as_result);
  co_return error;
}

Task<error_code> HttpConnection::read_body() {
  if (parser_->is_done()) co_return error_code();
  set_deadline(kBodyTime);
  if (beast::iequals(parser_->get()[http::field::expect], "100-continue")) {
    constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
    const auto [error, bytes] = co_await asio::async_write(socket_, asio::buffer(kGoOn), as_result);
    if (error) co_return error;
  }
  const auto [error, bytes] = co_await http::async_read(socket_, buffer_, *parser_, as_result);
  co_return error;
}

std::optional<Answer> HttpConnection::turn_away() {
  try {
    request_ = request_from(parser_->get(), slot_.address(), services_.config.trust_proxy);
    if (services_.log.has_details())
      services_.log.detail(std::string(parser_->get().method_string()) + " " + request_.path);
    if (!services_.addresses.take_request(request_.address))
      throw Refusal(RefusalCode::rate_limited, "too many requests come from this address; wait a second");
    match_ = find_route(request_);
    request_.parameters = match_.parameters;
    require_access();
  } catch (const std::exception&) {
    return answer_to_fault(services_.log);
  }
  return {};
}

void HttpConnection::require_access() const {
  const Route* const route = match_.route;
  const bool is_change = request_.method != Method::get;
  const bool is_answer = route == nullptr || route->kind == RouteKind::answer;
  services_.access.require_host(request_);
  if (route != nullptr && !route->is_open) services_.access.require_token(request_);
  if (is_change || !is_answer) services_.access.require_origin(request_);
  if (services_.draining && (is_change || !is_answer))
    throw Refusal(RefusalCode::overloaded, "the server is about to end; come back in a moment");
}

std::optional<Answer> HttpConnection::take_audience(std::optional<Audience>& audience) {
  if (match_.route->kind == RouteKind::web_socket && !request_.is_upgrade) {
    Answer answer = refusal_answer(RefusalCode::unsupported, "this address is for a WebSocket", 426);
    answer.headers.emplace_back("Upgrade", "websocket");
    return answer;
  }
  try {
    audience = admit(services_, *match_.route, request_);
  } catch (const std::exception&) {
    return answer_to_fault(services_.log);
  }
  return {};
}

Task<bool> HttpConnection::reply(const Answer& answer, bool keep_alive) {
  if (answer.refused) shard().counters().refuse(*answer.refused);
  if (!answer.file.empty()) co_return co_await send_file(answer, keep_alive);
  set_deadline(kWriteTime);
  const bool has_no_body = request_.is_head || answer.status == 204 || answer.status == 304;
  std::size_t sent = 0;
  error_code error;
  if (has_no_body) {
    auto response = response_of<http::empty_body>(answer, keep_alive);
    if (answer.status == 200) response.content_length(answer.body.size());
    std::tie(error, sent) = co_await http::async_write(socket_, response, as_result);
  } else {
    auto response = response_of<http::string_body>(answer, keep_alive);
    response.body() = answer.body;
    response.prepare_payload();
    std::tie(error, sent) = co_await http::async_write(socket_, response, as_result);
  }
  shard().counters().bytes_sent.add(sent);
  co_return !error && keep_alive;
}

Task<bool> HttpConnection::send_file(const Answer& answer, bool keep_alive) {
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(answer.file, missing);
  std::ifstream file(answer.file, std::ios::binary);
  if (missing || !file)
    co_return co_await reply(refusal_answer(RefusalCode::gone, "the file is not there any more"), keep_alive);
  set_deadline(kWriteTime);
  auto response = response_of<http::empty_body>(answer, keep_alive);
  response.content_length(size);
  auto [error, sent] = co_await http::async_write(socket_, response, as_result);
  std::vector<char> block(kFileBytes);
  for (std::uintmax_t left = request_.is_head ? 0 : size; !error && left > 0;) {
    const std::size_t bytes = static_cast<std::size_t>(std::min<std::uintmax_t>(left, block.size()));
    if (!file.read(block.data(), static_cast<std::streamsize>(bytes))) co_return false;
    set_deadline(kWriteTime);
    std::tie(error, sent) = co_await asio::async_write(socket_, asio::buffer(block.data(), bytes), as_result);
    shard().counters().bytes_sent.add(sent);
    left -= bytes;
  }
  co_return !error && keep_alive;
}

Task<> HttpConnection::linger() {
  set_deadline(kLingerTime);
  error_code error;
  socket_.shutdown(Socket::shutdown_send, error);
  std::array<char, 4096> lost;
  while (!error) {
    std::size_t bytes = 0;
    std::tie(error, bytes) = co_await socket_.async_read_some(asio::buffer(lost), as_result);
  }
}

void HttpConnection::on_second(Time now) {
  if (now < deadline_) return;
  deadline_ = now + kLingerTime;  // for what is to be said about it
  error_code ignored;
  socket_.cancel(ignored);
}

void HttpConnection::on_end() {
  is_ending_ = true;
  error_code ignored;
  socket_.cancel(ignored);
}

}  // namespace ringwave::server
