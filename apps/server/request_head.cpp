// SPDX-License-Identifier: Apache-2.0
#include "apps/server/request_head.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "apps/server/origin.hpp"

namespace ringwave::server {
namespace {

using stream::RefusalCode;
using Fault = std::optional<HeadFault>;

constexpr std::string_view kLineEnd = "\r\n";

HeadFault wrong(const std::string& what) {
  return {.sentence = "this is no request of HTTP: " + what};
}

HeadFault too_long_target() {
  return {.status = 414,
          .code = RefusalCode::too_large,
          .sentence = "the address is too long; use " + std::to_string(RequestHead::kLongestTarget) +
                      " letters at most"};
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

/// A letter of a method or of the name of a field.
bool is_of_token(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(letter) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_of_token);
}

/// Neither a space nor a control character; letters beyond ASCII are somebody's path.
bool is_of_target(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte > 0x20 && byte != 0x7f;
}

/// A name, an address, an address of IPv6 in brackets; with a port or without.
bool is_of_authority(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         std::string_view("-._~:[]").find(letter) != std::string_view::npos;
}

/// The text before a mark, which it loses together with the mark; nothing where there is no mark.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  if (end == std::string_view::npos) return {};
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end + mark.size());
  return taken;
}

/// The version: HTTP/1.0, HTTP/1.1, or a fault.
Fault take_version(std::string_view text, RequestHead& head) {
  head.is_1_1 = text == "HTTP/1.1";
  if (head.is_1_1 || text == "HTTP/1.0") return {};
  const bool is_other = text.size() == 8 && text.starts_with("HTTP/") && is_digit(text[5]) &&
                        text[6] == '.' && is_digit(text[7]);
  if (!is_other) return wrong("its first line does not end with a version");
  return HeadFault{.status = 505,
                   .code = RefusalCode::unsupported,
                   .sentence = std::string(text) + " is not spoken here; use HTTP/1.1"};
}

Fault take_first_line(std::string_view line, RequestHead& head) {
  const auto method = take_until(line, " ");
  if (!method || !is_token(*method)) return wrong("its first line does not begin with a method");
  head.method = *method;
  const auto target = take_until(line, " ");
  if (!target) return wrong("its first line has no address and version");
  if (target->size() > RequestHead::kLongestTarget) return too_long_target();
  if (target->empty() || !std::ranges::all_of(*target, is_of_target))
    return wrong("the address has a letter that none has, or is empty");
  head.target = *target;
  return take_version(line, head);
}

Fault take_field(std::string_view line, RequestHead& head) {
  if (line.starts_with(' ') || line.starts_with('\t'))
    return wrong("a field goes on in a second line, which is long forbidden");
  const auto name = take_until(line, ":");
  if (!name || !is_token(*name)) return wrong("a line is no field, as 'Name: value' is");
  head.fields.emplace_back(*name, trimmed(line));
  return {};
}

/// Where the body ends must be beyond doubt, also to whoever stands between the client and us.
Fault take_framing(RequestHead& head) {
  const bool has_coding = head.has("Transfer-Encoding");
  int lengths = 0;
  for (const auto& [name, value] : head.fields) {
    if (!is_same_name(name, "Content-Length")) continue;
    if (++lengths > 1) return wrong("it has two Content-Length");
    std::uint64_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    const bool is_number = !value.empty() && std::ranges::all_of(value, is_digit);
    if (!is_number) return wrong("its Content-Length is no number, with digits alone");
    if (error != std::errc()) length = std::numeric_limits<std::uint64_t>::max();
    head.content_length = length;
  }
  if (!has_coding) return {};
  if (lengths > 0) return wrong("it has both a Content-Length and a Transfer-Encoding");
  if (!head.is_1_1) return wrong("HTTP/1.0 knows no Transfer-Encoding");
  const auto is_coding = [](const auto& field) { return is_same_name(field.first, "Transfer-Encoding"); };
  if (std::ranges::count_if(head.fields, is_coding) != 1 ||
      !is_same_name(head.field("Transfer-Encoding"), "chunked"))
    return HeadFault{.status = 501,
                     .code = RefusalCode::unsupported,
                     .sentence =
                         "a Transfer-Encoding other than 'chunked' is not known here; send "
                         "Content-Length, or chunked alone"};
  head.is_chunked = true;
  return {};
}

/// An absolute target names its host itself, and that counts more than Host.
Fault take_absolute(RequestHead& head) {
  const std::size_t mark = head.target.find("://");
  const std::string_view scheme = head.target.substr(0, std::min(mark, head.target.size()));
  if (!is_same_name(scheme, "http") && !is_same_name(scheme, "https"))
    return wrong("the address is neither a path that begins with a slash nor one of http");
  const std::string_view rest = head.target.substr(mark + 3);
  const std::size_t path = std::min(rest.find_first_of("/?"), rest.size());
  head.host = rest.substr(0, path);
  if (head.host.empty() || !std::ranges::all_of(head.host, is_of_authority))
    return wrong("the address names no host");
  if (path < rest.size() && rest[path] == '?') return wrong("the address has no path");
  head.target = path == rest.size() ? std::string_view("/") : rest.substr(path);
  return {};
}

Fault take_host(RequestHead& head) {
  const auto is_host = [](const auto& field) { return is_same_name(field.first, "Host"); };
  const auto hosts = std::ranges::count_if(head.fields, is_host);
  if (hosts > 1) return wrong("it has two Host");
  if (hosts == 0 && head.is_1_1) return wrong("it has no Host, which HTTP/1.1 wants");
  head.host = head.field("Host");
  if (!std::ranges::all_of(head.host, is_of_authority)) return wrong("its Host is no name of a machine");
  const bool is_whole_server = head.target == "*" && head.method == "OPTIONS";
  if (head.target.starts_with('/') || is_whole_server) return {};
  return take_absolute(head);
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kBlank = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

std::optional<HeadFault> HeadScanner::scan(std::string_view bytes) {
  for (; seen_ < bytes.size() && end_ == 0; ++seen_) {
    const auto letter = static_cast<unsigned char>(bytes[seen_]);
    const bool follows_return = seen_ > 0 && bytes[seen_ - 1] == '\r';
    if (follows_return != (letter == '\n')) return wrong("a line ends with something other than CR and LF");
    if ((letter < 0x20 && letter != '\r' && letter != '\n' && letter != '\t') || letter == 0x7f)
      return wrong("it has a control character");
    if (letter != '\n') continue;
    const bool is_empty = seen_ - line_ == 1;
    line_ = seen_ + 1;
    if (is_empty && seen_ == 1)
      begin_ = line_;
    else if (is_empty)
      end_ = line_;
  }
  if ((end_ != 0 ? end_ : bytes.size()) - begin_ <= kMostBytes) return {};
  const std::string_view first = bytes.substr(begin_, bytes.find(kLineEnd, begin_) - begin_);
  if (first.size() > RequestHead::kLongestTarget + std::string_view("OPTIONS  HTTP/1.1").size())
    return too_long_target();
  return HeadFault{.status = 431,
                   .code = RefusalCode::too_large,
                   .sentence = "the head of the request is too long; use " + std::to_string(kMostBytes) +
                               " bytes at most"};
}

std::string_view RequestHead::field(std::string_view name) const noexcept {
  const auto found =
      std::ranges::find_if(fields, [&](const auto& each) { return is_same_name(each.first, name); });
  return found == fields.end() ? std::string_view() : found->second;
}

bool RequestHead::has(std::string_view name) const noexcept {
  return std::ranges::any_of(fields, [&](const auto& each) { return is_same_name(each.first, name); });
}

std::vector<std::string_view> RequestHead::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& [each, value] : fields)
    if (is_same_name(each, name)) values.push_back(value);
  return values;
}

std::variant<RequestHead, HeadFault> read_head(std::string_view bytes) {
  RequestHead head;
  Fault fault;
  for (bool is_first = true; !fault; is_first = false) {
    const auto line = take_until(bytes, kLineEnd);
    if (!line) return wrong("it ends before its head does");
    if (line->empty()) break;
    fault = is_first ? take_first_line(*line, head) : take_field(*line, head);
  }
  if (!fault && head.method.empty()) fault = wrong("its first line is empty");
  if (!fault) fault = take_host(head);
  if (!fault) fault = take_framing(head);
  if (fault) return std::move(*fault);
  return head;
}

}  // namespace ringwave::server
