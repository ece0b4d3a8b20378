// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace ringwave::stream {

/// Letters and digits, none of which looks like another, 5 bits each: a name that nobody else has, and from
/// 20 on one that nobody guesses. [server]
[[nodiscard]] inline std::string random_identifier(std::size_t letters) {
  constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz";
  std::random_device device;
  std::string made(letters, ' ');
  for (char& letter : made) letter = kLetters[device() % kLetters.size()];
  return made;
}

}  // namespace ringwave::stream
