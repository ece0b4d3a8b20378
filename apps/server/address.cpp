// SPDX-License-Identifier: Apache-2.0
#include "apps/server/address.hpp"

#include <arpa/inet.h>

#include <algorithm>

namespace ringwave::server {
namespace {

constexpr std::array<unsigned char, 12> kV4Prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

}  // namespace

std::optional<Address> Address::from_text(const std::string& text) {
  Bytes bytes{};
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return Address(bytes);
  std::ranges::copy(kV4Prefix, bytes.begin());
  if (inet_pton(AF_INET, text.c_str(), bytes.data() + kV4Prefix.size()) == 1) return Address(bytes);
  return {};
}

std::string Address::text() const {
  std::array<char, INET6_ADDRSTRLEN> letters{};
  const bool is_short = is_v4();
  (void)inet_ntop(is_short ? AF_INET : AF_INET6, bytes_.data() + (is_short ? kV4Prefix.size() : 0),
                  letters.data(), letters.size());
  return letters.data();
}

bool Address::is_v4() const noexcept {
  return std::equal(kV4Prefix.begin(), kV4Prefix.end(), bytes_.begin());
}

bool Address::is_loopback() const noexcept {
  if (is_v4()) return bytes_[12] == 127;
  return bytes_.back() == 1 &&
         std::all_of(bytes_.begin(), bytes_.end() - 1, [](auto byte) { return byte == 0; });
}

Address Address::limited() const noexcept {
  if (is_v4()) return *this;
  Bytes network = bytes_;
  std::fill(network.begin() + 8, network.end(), static_cast<unsigned char>(0));
  return Address(network);
}

}  // namespace ringwave::server
