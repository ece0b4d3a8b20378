// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringwave::server {

/// Where a web page comes from: "https://radio.example" or "http://127.0.0.1:8080".
struct Origin {
  std::string scheme;  ///< http or https
  std::string host;    ///< in small letters, with the port where it is not the scheme's own: "127.0.0.1:8080"

  /// Nothing for what is none: "null", another scheme, a path. [any]
  [[nodiscard]] static std::optional<Origin> from_text(std::string_view text);

  friend bool operator==(const Origin&, const Origin&) = default;
};

/// Of ASCII, as hosts are compared. [any]
[[nodiscard]] std::string in_small_letters(std::string_view text);

/// Two names that differ at most in small and capital letters, as names of fields and hosts may. [any]
[[nodiscard]] bool is_same_name(std::string_view a, std::string_view b) noexcept;

/// "localhost:8080" without its port, and without the brackets of IPv6. [any]
[[nodiscard]] std::string name_of_host(std::string_view host);

}  // namespace ringwave::server
