// SPDX-License-Identifier: Apache-2.0
#include "apps/server/http_connection.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <fstream>
#include <utility>
#include <vector>

#include "apps/server/log_text.hpp"

namespace ringwave::server {
namespace {

using stream::Refusal;
using stream::RefusalCode;

constexpr std::size_t kExtensionBytes = 4096;  // of all chunks of a body
constexpr std::size_t kBufferBytes = 16384;
constexpr std::size_t kFileBytes = 65536;  // that are read and sent at once
constexpr std::chrono::seconds kLingerTime{2};

template <class Body>
http::response<Body> response_of(const Answer& answer, bool may_embed, bool keep_alive) {
  http::response<Body> response(static_cast<http::status>(answer.status), 11);
  if (!answer.content_type.empty()) response.set(http::field::content_type, answer.content_type);
  for (const auto& [name, value] : common_headers(may_embed)) response.set(name, value);
  for (const auto& [name, value] : answer.headers) response.set(name, value);
  response.keep_alive(keep_alive);
  return response;
}

std::string_view text_of(const beast::flat_buffer& buffer) {
  return {static_cast<const char*>(buffer.data().data()), buffer.size()};
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
  std::optional<Handover> handover;
  Next next = Next::request;
  while (next == Next::request && !is_ending_) {
    next = co_await exchange(handover);
    if (next != Next::stream) slot_.drop_client();  // a proxy's next request is somebody else's
  }
  deadline_ = Time::max();
  co_return handover;
}

Task<HttpConnection::Next> HttpConnection::exchange(std::optional<Handover>& handover) {
  Exchange now;
  HeadScanner scanner;
  std::optional<HeadFault> fault;
  const error_code error = co_await receive_head(scanner, fault);
  const bool has_begun = buffer_.size() > scanner.begin();
  if (error == asio::error::connection_reset || (error && (is_ending_ || !has_begun))) co_return Next::close;
  shard().counters().requests.add();
  now.began = std::chrono::system_clock::now();
  now.began_ticks = std::chrono::steady_clock::now();
  now.request.address = slot_.address();  // until its head says more
  if (error) fault = fault_of(error);
  if (!fault) fault = take_head(now, scanner);
  if (fault) co_return co_await refuse(now, answer_to(*fault));
  if (const auto refusal = turn_away(now)) co_return co_await refuse(now, *refusal);
  if (now.match.route != nullptr && now.match.route->kind != RouteKind::answer) {
    if (const auto refusal = hand_over(now, handover)) co_return co_await refuse(now, *refusal);
    co_return Next::stream;
  }
  if (const error_code torn = co_await read_body(now))
    co_return co_await refuse(now, answer_to(fault_of(torn)));
  now.request.body = std::move(now.parser.get().body());
  deadline_ = Time::max();
  Answer answer;
  if (now.match.route != nullptr && now.match.route->is_immediate)
    answer = answer_to(services_, now.match, now.request);
  else
    answer = co_await office_.answer([this, &now] { return answer_to(services_, now.match, now.request); });
  co_return co_await reply(now, answer) ? Next::request : Next::close;
}

/// Reads until the head is there as a whole, or has a fault. Its time begins with its first byte.
Task<error_code> HttpConnection::receive_head(HeadScanner& scanner, std::optional<HeadFault>& fault) {
  if (buffer_.size() == 0) {
    set_deadline(std::exchange(is_new_, false) ? kHeadTime : kIdleTime);
    const auto [error] = co_await socket_.async_wait(Socket::wait_read, as_result);
    if (error) co_return error;
  }
  set_deadline(kHeadTime);
  while (true) {
    fault = scanner.scan(text_of(buffer_));
    if (fault || scanner.is_whole()) co_return error_code();
    const auto [error, bytes] =
        co_await socket_.async_read_some(buffer_.prepare(kBufferBytes - buffer_.size()), as_result);
    if (error) co_return error;
    buffer_.commit(bytes);
  }
}

std::optional<HeadFault> HttpConnection::take_head(Exchange& now, const HeadScanner& scanner) {
  const std::string_view bytes = text_of(buffer_).substr(scanner.begin(), scanner.end() - scanner.begin());
  now.request.is_head = bytes.starts_with("HEAD ");  // also where the rest cannot be read
  auto read = read_head(bytes);
  if (auto* const fault = std::get_if<HeadFault>(&read)) return std::move(*fault);
  const auto& head = std::get<RequestHead>(read);
  now.parser.body_limit(static_cast<std::uint64_t>(services_.config.max_body_bytes));
  if (auto fault = parse(now.parser, bytes, head)) return fault;
  now.keeps_open = now.parser.get().keep_alive();
  now.request = request_from(head, slot_.address(), services_.config.trust_proxy);
  now.request.is_upgrade = beast::websocket::is_upgrade(now.parser.get());
  buffer_.consume(scanner.end());
  return {};
}

Task<error_code> HttpConnection::read_body(Exchange& now) {
  if (now.parser.is_done()) co_return error_code();
  set_deadline(kBodyTime);
  const HttpRequest& head = now.parser.get();
  if (head.version() == 11 && beast::iequals(head[http::field::expect], "100-continue")) {
    constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
    const auto [error, bytes] = co_await asio::async_write(socket_, asio::buffer(kGoOn), as_result);
    if (error) co_return error;
  }
  // A line feed alone within an extension ends the line for some who pass requests on, and not for others.
  std::size_t extensions = 0;
  auto look = [&extensions](std::uint64_t, beast::string_view extension, error_code& wrong) {
    extensions += extension.size();
    const auto is_control = [](char letter) {
      return static_cast<unsigned char>(letter) < 0x20 && letter != '\t';
    };
    if (extensions > kExtensionBytes || std::ranges::any_of(extension, is_control))
      wrong = http::error::bad_chunk_extension;
  };
  now.parser.on_chunk_header(look);
  const auto [error, bytes] = co_await http::async_read(socket_, buffer_, now.parser, as_result);
  co_return error;
}

std::optional<Answer> HttpConnection::turn_away(Exchange& now) {
  try {
    if (services_.log.has_details())
      services_.log.detail(now.request.method_name + " " + without_secrets(now.request.target));
    if (!services_.addresses.take_request(now.request.address))
      throw Refusal(RefusalCode::rate_limited, "too many requests come from this address; wait a second");
    set_target(now.request, now.request.target);
    if (!slot_.take_client(now.request.address))
      throw Refusal(RefusalCode::limit_reached,
                    "there are as many connections from this address as there may be");
    now.match = find_route(now.request);
    now.request.parameters = now.match.parameters;
    require_access(now);
  } catch (const std::exception&) {
    return answer_to_fault(services_.log);
  }
  return {};
}

void HttpConnection::require_access(Exchange& now) const {
  Request& request = now.request;
  const PageAccess& pages = services_.access.pages();
  const Route* const route = now.match.route;
  const bool is_change = request.method != Method::get;
  const bool is_answer = route == nullptr || route->kind == RouteKind::answer;
  pages.require_host(request);
  request.may_embed = pages.is_of_allowed_page(request);
  if (route == nullptr || !route->is_open) pages.require_site(request);
  if (route != nullptr && !route->is_open) services_.access.require_token(request);
  if (is_change || !is_answer) pages.require_origin(request);
  if (services_.draining && (is_change || !is_answer))
    throw Refusal(RefusalCode::overloaded, "the server is about to end; come back in a moment");
}

std::optional<Answer> HttpConnection::hand_over(Exchange& now, std::optional<Handover>& handover) {
  const Route& route = *now.match.route;
  if (route.kind == RouteKind::web_socket && !now.request.is_upgrade) {
    Answer answer = refusal_answer(RefusalCode::unsupported, "this address is for a WebSocket", 426);
    answer.headers.emplace_back("Upgrade", "websocket");
    return answer;
  }
  try {
    if (!now.parser.is_done())
      throw Refusal(RefusalCode::out_of_range, "who asks for a stream sends no body with it");
    Audience audience = admit(services_, route, now.request);
    handover.emplace(Handover{route.kind, std::move(socket_), std::move(slot_), now.parser.release(),
                              std::move(now.request), std::move(audience)});
  } catch (const std::exception&) {
    return answer_to_fault(services_.log);
  }
  return {};
}

/// Where a body is still to come, nobody can say where the next request begins.
Task<HttpConnection::Next> HttpConnection::refuse(const Exchange& now, const Answer& answer) {
  const bool is_whole = now.parser.is_done();
  const bool is_open = co_await reply(now, answer) && is_whole;
  if (!is_whole) co_await linger();
  co_return is_open ? Next::request : Next::close;
}

Task<bool> HttpConnection::reply(const Exchange& now, const Answer& answer) {
  const bool keep_alive = now.keeps_open && now.parser.is_done();
  if (answer.refused) shard().counters().refuse(*answer.refused);
  if (!answer.file.empty()) co_return co_await send_file(now, answer);
  set_deadline(kWriteTime);
  const bool has_no_length = answer.status == 204 || answer.status == 304;
  std::size_t sent = 0;
  error_code error;
  if (has_no_length || now.request.is_head) {
    auto response = response_of<http::empty_body>(answer, now.request.may_embed, keep_alive);
    if (!has_no_length) response.content_length(answer.body.size());
    std::tie(error, sent) = co_await http::async_write(socket_, response, as_result);
  } else {
    auto response = response_of<http::string_body>(answer, now.request.may_embed, keep_alive);
    response.body() = answer.body;
    response.prepare_payload();
    std::tie(error, sent) = co_await http::async_write(socket_, response, as_result);
  }
  shard().counters().bytes_sent.add(sent);
  record(now, answer, error || has_no_length || now.request.is_head ? 0 : answer.body.size());
  co_return !error && keep_alive;
}

Task<bool> HttpConnection::send_file(const Exchange& now, const Answer& answer) {
  const bool keep_alive = now.keeps_open && now.parser.is_done();
  const auto place = services_.descriptors.take();
  if (!place)
    co_return co_await reply(
        now, refusal_answer(RefusalCode::limit_reached, "too many files are being sent; come back later"));
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(answer.file, missing);
  std::ifstream file(answer.file, std::ios::binary);
  if (missing || !file)
    co_return co_await reply(now, refusal_answer(RefusalCode::gone, "the file is not there any more"));
  set_deadline(kWriteTime);
  auto response = response_of<http::empty_body>(answer, now.request.may_embed, keep_alive);
  response.content_length(size);
  auto [error, sent] = co_await http::async_write(socket_, response, as_result);
  std::vector<char> block(kFileBytes);
  std::uint64_t body = 0;
  for (std::uintmax_t left = now.request.is_head ? 0 : size; !error && left > 0;) {
    const std::size_t bytes = static_cast<std::size_t>(std::min<std::uintmax_t>(left, block.size()));
    if (!file.read(block.data(), static_cast<std::streamsize>(bytes))) co_return false;
    set_deadline(kWriteTime);
    std::tie(error, sent) = co_await asio::async_write(socket_, asio::buffer(block.data(), bytes), as_result);
    shard().counters().bytes_sent.add(sent);
    left -= bytes;
    body += sent;
  }
  record(now, answer, body);
  co_return !error && keep_alive;
}

void HttpConnection::record(const Exchange& now, const Answer& answer, std::uint64_t bytes) const {
  if (!services_.access_log.is_on()) return;
  AccessEntry entry = AccessEntry::of(now.request, now.began);
  entry.status = answer.status;
  entry.bytes = bytes;
  entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - now.began_ticks).count();
  services_.access_log.add(entry);
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
