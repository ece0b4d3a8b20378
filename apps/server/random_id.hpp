// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace ringwave::server {

/// A name that nobody guesses: 20 letters and digits, 100 bits. [any]
[[nodiscard]] inline std::string random_id() {
  constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz";
  std::random_device device;
  std::string made(20, ' ');
  for (char& letter : made) letter = kLetters[device() % kLetters.size()];
  return made;
}

}  // namespace ringwave::server
