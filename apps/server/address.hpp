// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

namespace ringwave::server {

/// Where somebody comes from. An address of IPv4 is written within IPv6, so that there is one kind.
class Address {
 public:
  using Bytes = std::array<unsigned char, 16>;

  constexpr Address() noexcept = default;
  explicit constexpr Address(const Bytes& bytes) noexcept : bytes_(bytes) {}

  /// "127.0.0.1" or "::1"; nothing for what is none. [any]
  [[nodiscard]] static std::optional<Address> from_text(const std::string& text);

  /// "127.0.0.1" or "2001:db8::1". [any]
  [[nodiscard]] std::string text() const;

  /// Of somebody whose address is hidden: 0.0.0.0, which nobody has. [any]
  [[nodiscard]] static constexpr Address unknown() noexcept {
    return Address(Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0});
  }

  [[nodiscard]] bool is_v4() const noexcept;
  /// This machine itself. [any]
  [[nodiscard]] bool is_loopback() const noexcept;
  /// Who is held to limits: the address, and of IPv6 the network of 64 bits that one customer has. [any]
  [[nodiscard]] Address limited() const noexcept;

  friend bool operator==(const Address&, const Address&) = default;
  friend bool operator<(const Address& a, const Address& b) noexcept { return a.bytes_ < b.bytes_; }

 private:
  Bytes bytes_{};
};

}  // namespace ringwave::server
