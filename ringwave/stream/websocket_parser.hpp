// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ringwave::stream {

/// What a server sends over a WebSocket (RFC 6455), out of a stream of bytes that is cut anywhere.
///
///   std::span<const std::byte> bytes = …;                     // what a read brought
///   while (const auto message = parser.next(bytes)) …         // takes it off the front of bytes
///   if (parser.fault() != Fault::none) …                      // the connection is of no use any more
///
/// A message that lies whole in the bytes is not copied. What is cut is collected in memory that is kept, up
/// to 4 KiB of it, so that a stream of short messages costs no allocation each.
class WebSocketParser {
 public:
  enum class Kind : unsigned char { text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

  struct Message {
    Kind kind;
    std::span<const std::byte> payload;  ///< until the next call of next(), as long as the bytes are there
  };

  enum class Fault : unsigned char {
    none,
    masked,         ///< only clients mask
    reserved_bits,  ///< an extension that nobody agreed upon
    unknown_kind,
    bad_control,       ///< a ping, pong or close that is cut or longer than 125 bytes
    bad_length,        ///< not in the shortest form
    too_large,         ///< more than was allowed
    bad_continuation,  ///< a part without a beginning, or a beginning within another message
  };

  static constexpr std::size_t kMostControlBytes = 125;

  /// Messages may have so many bytes. [any]
  explicit WebSocketParser(std::size_t most_bytes) noexcept : most_bytes_(most_bytes) {}

  /// The next whole message, whose bytes are taken off the front of `bytes`. Nothing where all were taken and
  /// no message is whole yet, after a fault, and after a close. [any]
  [[nodiscard]] std::optional<Message> next(std::span<const std::byte>& bytes);

  [[nodiscard]] Fault fault() const noexcept { return fault_; }
  /// The server has said goodbye; what follows is left where it is. [any]
  [[nodiscard]] bool is_closed() const noexcept { return closed_; }

 private:
  struct Frame {
    Kind kind;
    bool is_last;
    bool continues;
    std::size_t bytes;
  };

  [[nodiscard]] std::size_t head_bytes() const noexcept;
  [[nodiscard]] bool take_head(std::span<const std::byte>& bytes) noexcept;
  [[nodiscard]] std::optional<Frame> read_head() noexcept;
  [[nodiscard]] Fault check(const Frame& frame) const noexcept;
  [[nodiscard]] std::optional<Message> control(std::span<const std::byte>& bytes) noexcept;
  [[nodiscard]] std::optional<Message> data(std::span<const std::byte>& bytes);
  void forget_message() noexcept;
  std::nullopt_t fail(Fault fault) noexcept;

  static constexpr std::size_t kMostHeadBytes = 10;

  std::size_t most_bytes_;
  std::array<std::byte, kMostHeadBytes> head_{};
  std::size_t head_taken_ = 0;
  std::optional<Frame> frame_;  // whose payload comes
  std::size_t missing_ = 0;     // bytes of it
  std::array<std::byte, kMostControlBytes> control_{};
  std::size_t control_taken_ = 0;
  std::vector<std::byte> message_;  // the parts of a message that is cut
  std::optional<Kind> kind_;        // of a message that goes on
  bool given_ = false;              // message_ was given away and may be forgotten
  bool closed_ = false;
  Fault fault_ = Fault::none;
};

/// In words, for a report. [any]
[[nodiscard]] std::string_view to_string(WebSocketParser::Fault fault) noexcept;

/// Writes a frame as a client sends it, masked, whole in itself; the bytes of `out` that it has. None where
/// the payload has more than 65535 bytes or `out` is too small: kMostClientHeadBytes and the payload are
/// enough. [any]
inline constexpr std::size_t kMostClientHeadBytes = 8;
[[nodiscard]] std::size_t write_client_frame(WebSocketParser::Kind kind, std::span<const std::byte> payload,
                                             std::uint32_t mask, std::span<std::byte> out) noexcept;

}  // namespace ringwave::stream
