// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {

/// Why a head is not taken. Where its request ends is then unknown, so that the connection has to be closed.
struct HeadFault {
  int status = 400;
  stream::RefusalCode code = stream::RefusalCode::out_of_range;
  std::string sentence{};
};

/// Finds the end of a head while its bytes come in, and looks at each byte once.
///
/// A line ends with CR and LF, both. One empty line before the head is passed over: old clients send it after
/// a body.
class HeadScanner {
 public:
  static constexpr std::size_t kMostBytes = 8192;

  /// Looks at all that has come of a request, from its first byte; what was looked at before is not looked at
  /// again. A fault as soon as these bytes cannot become a head. [server]
  [[nodiscard]] std::optional<HeadFault> scan(std::string_view bytes);

  /// The head has come as a whole. [server]
  [[nodiscard]] bool is_whole() const noexcept { return end_ != 0; }
  /// Bytes of the empty line before it. [server]
  [[nodiscard]] std::size_t begin() const noexcept { return begin_; }
  /// Bytes to behind the empty line that ends it. [server]
  [[nodiscard]] std::size_t end() const noexcept { return end_; }

 private:
  std::size_t begin_ = 0;
  std::size_t line_ = 0;  // where the line begins that is looked at
  std::size_t seen_ = 0;
  std::size_t end_ = 0;
};

/// The head of a request, as RFC 9112 has it, and stricter: what two readers could take for different
/// requests is none. Its texts are views of the bytes that it was read from.
struct RequestHead {
  static constexpr std::size_t kLongestTarget = 2048;

  std::string_view method{};
  std::string_view target{};  ///< "/path?query", or "*"; without what an absolute one has before its path
  std::string_view host{};    ///< the authority of an absolute target, else what Host says; it may be empty
  bool is_1_1 = false;        ///< else it is HTTP/1.0
  bool is_chunked = false;
  std::optional<std::uint64_t> content_length{};
  std::vector<std::pair<std::string_view, std::string_view>> fields{};  ///< names as they were written

  /// The value of the first field of that name, in any case of letters; empty where there is none. [any]
  [[nodiscard]] std::string_view field(std::string_view name) const noexcept;
  [[nodiscard]] bool has(std::string_view name) const noexcept;
  /// The values of all fields of that name. [any]
  [[nodiscard]] std::vector<std::string_view> all(std::string_view name) const;
};

/// Without the spaces and tabs around it, as values of fields are. [any]
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// Reads a whole head, with the empty line at its end. [any]
[[nodiscard]] std::variant<RequestHead, HeadFault> read_head(std::string_view bytes);

}  // namespace ringwave::server
